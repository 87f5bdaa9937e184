import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tiro-packed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A PATH with Node, npm and a shell for npm, and no compiler, python or make. */
function barePath(): string {
  const bare = join(folder, 'bare');
  mkdirSync(bare);
  const node = dirname(process.execPath);
  for (const tool of ['node', 'npm', 'npx']) symlinkSync(join(node, tool), join(bare, tool));
  for (const tool of ['sh', 'env']) symlinkSync(join('/bin', tool), join(bare, tool));
  return bare;
}

it('npm pack gives a tarball that npx runs in an empty folder without a compiler', async () => {
  const packed = spawnSync('npm', ['pack', '--pack-destination', folder], { encoding: 'utf8' });
  expect(packed.status, packed.stderr).toBe(0);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  expect(tarball).toBeDefined();
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const env = { ...process.env, PATH: barePath(), npm_config_cache: join(folder, 'cache') };
  const npx = ['--yes', '--package', join(folder, tarball ?? ''), '--', 'tiro'];
  const version = spawnSync('npx', [...npx, '--version'], { cwd: empty, env, encoding: 'utf8', timeout: 300_000 });
  expect(version.stdout.trim(), version.stderr).toMatch(/^\d+\.\d+\.\d+$/);
  const decode = spawnSync('npx', [...npx, 'decode', 'godice', '--shell', 'd20'], {
    cwd: empty,
    env,
    encoding: 'utf8',
    input: '52\n545300EAC0\n',
  });
  expect(decode.stdout).toContain('"face":17');
  const daemon = spawn('npx', [...npx, 'start', '--port', '0', '--mqtt-port', 'off', '--data', join(folder, 'data')], {
    cwd: empty,
    env,
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let told = '';
      daemon.stdout.on('data', (chunk) => {
        told += String(chunk);
        const found = /http:\/\/127\.0\.0\.1:\d+(?=\n)/.exec(told)?.[0];
        if (found !== undefined) resolve(found);
      });
      daemon.once('exit', () => reject(new Error(`ended: ${told}`)));
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/table/prova`)).text()).toContain('<script');
    expect((await fetch(`${url}/api/v1/schemas/envelope`)).status).toBe(200);
  } finally {
    spawnSync('pkill', ['-TERM', '-f', join(folder, 'data')]);
    await new Promise((resolve) => daemon.once('exit', resolve));
  }
}, 400_000);
