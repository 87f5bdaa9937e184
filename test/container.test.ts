import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compose } from '../src/cli/compose.js';
import { loadConfig } from '../src/config/load.js';

const checker = spawnSync('docker-compose', ['--version']).error === undefined;
if (!checker) console.warn('docker-compose is not here (Debian: apt install docker-compose): its check is skipped');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiro-compose-'));
  copyFileSync('docker-compose.yml', join(folder, 'docker-compose.yml'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(where = folder): { code: number; out: string } {
  let out = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      out += String(chunk);
      done();
    },
  });
  return { code: compose(where, sink, sink), out };
}

interface Service {
  readonly profiles: readonly string[];
  readonly environment: { readonly [name: string]: string };
}
const services = (text: string): { readonly [name: string]: Service } =>
  (parse(text, { merge: true }) as { services: { [name: string]: Service } }).services;

describe('the compose file', () => {
  it('holds no secret, and refuses to start without those of ./tiro compose (F080)', () => {
    const text = readFileSync('docker-compose.yml', 'utf8');
    for (const [name, { environment }] of Object.entries(services(text))) {
      const secrets = Object.entries(environment).filter(([key]) => /TOKEN|PASSWORD/.test(key));
      expect(secrets.length, name).toBeGreaterThan(0);
      for (const [key, value] of secrets) expect(value).toBe(`\${${key}:?run ./tiro compose first}`);
    }
  });

  it('gives the daemon only settings that it knows', () => {
    const secret = 'x'.repeat(43);
    for (const name of ['tiro', 'tiro-mosquitto']) {
      const given = services(readFileSync('docker-compose.yml', 'utf8'))[name]?.environment ?? {};
      const env = Object.fromEntries(
        Object.entries(given).map(([key, value]) => [
          key,
          value.replace(/\$\{\w+:-(.*)\}/, '$1').replace(/\$\{.*\}/, secret),
        ]),
      );
      const loaded = loadConfig({ env });
      expect(loaded, name).toMatchObject({ ok: true, value: { http: { gmToken: secret } }, notices: [] });
    }
  });

  it('gets its secrets once: 32 random bytes each, for their owner only, never written over', () => {
    const first = run();
    expect(first.code).toBe(0);
    const env = readFileSync(join(folder, '.env'), 'utf8');
    const secrets = [...env.matchAll(/^(TIRO_HTTP_GM_TOKEN|TIRO_MQTT_PASSWORD)=([\w-]{43})$/gm)].map(
      (match) => match[2],
    );
    expect(secrets).toHaveLength(2);
    expect(new Set(secrets).size).toBe(2);
    expect(first.out).not.toContain(secrets[0]);
    if (process.platform !== 'win32') expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0);
    expect(run().code).toBe(0);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(env);
    expect(readFileSync('.gitignore', 'utf8')).toMatch(/^\.env$/m);
  });

  it('says where it should be run if no compose file is there', () => {
    const nowhere = mkdtempSync(join(tmpdir(), 'tiro-nowhere-'));
    expect(run(nowhere)).toMatchObject({ code: 1, out: expect.stringContaining('no docker-compose.yml') });
    rmSync(nowhere, { recursive: true });
  });

  it.skipIf(!checker).each(['alone', 'mosquitto'])('is good in the eyes of docker-compose: profile %s', (profile) => {
    run();
    const checked = spawnSync('docker-compose', ['--profile', profile, 'config'], { cwd: folder, encoding: 'utf8' });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
    expect(checked.stdout).toMatch(/network_mode: host/);
  });
});
