import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tiro-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Instructions of the first stage, and what the last one starts and asks. */
function dockerfile(): { runs: string[]; start: string[]; health: string[]; env: { [name: string]: string } } {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const stages = lines.join('\n').split(/^FROM /m);
  const runs = (stages[1] ?? '').split('\n').filter((line) => line.startsWith('RUN '));
  const list = (word: string): string[] =>
    JSON.parse(/\[.*\]/.exec(lines.find((line) => line.startsWith(word)) ?? '')?.[0] ?? '[]') as string[];
  const env =
    lines
      .find((line) => line.startsWith('ENV '))
      ?.slice(4)
      .split(' ') ?? [];
  return {
    runs: runs.map((line) => line.slice(4)),
    start: [...list('ENTRYPOINT'), ...list('CMD')],
    health: list('HEALTHCHECK'),
    env: Object.fromEntries(env.map((pair) => pair.split('=') as [string, string])),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

it('the image is what its file says: its lines build a clean clone that starts, is healthy, and lets nobody in without a token', async () => {
  const { runs, start, health, env } = dockerfile();
  const clone = join(folder, 'app');
  expect(spawnSync('git', ['clone', '-q', process.cwd(), clone]).status).toBe(0);
  expect(runs.length).toBeGreaterThan(1);
  for (const line of runs) {
    const run = spawnSync('bash', ['-c', line], { cwd: clone, encoding: 'utf8' });
    expect(run.status, `${line}\n${run.stdout}\n${run.stderr}`).toBe(0);
  }
  const port = await freePort();
  const gmToken = 'k'.repeat(40);
  const given = {
    ...process.env,
    ...env,
    TIRO_DATA_DIR: join(folder, 'data'),
    TIRO_HTTP_PORT: String(port),
    TIRO_HTTP_HOST: '127.0.0.1',
    TIRO_HTTP_GM_TOKEN: gmToken,
    TIRO_MQTT_MODE: 'off',
  };
  const [program = '', ...args] = start;
  const daemon = spawn(program, args, { cwd: clone, env: given, stdio: 'ignore' });
  try {
    const [asker = '', ...question] = health;
    let healthy = 1;
    for (let tries = 0; tries < 60 && healthy !== 0; tries += 1) {
      healthy = spawnSync(asker, question, { env: given }).status ?? 1;
      if (healthy !== 0) await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(healthy).toBe(0);
    const tables = `http://127.0.0.1:${port}/api/v1/tables`;
    expect((await fetch(tables)).status).toBe(401);
    expect((await fetch(tables, { headers: { authorization: `Bearer ${gmToken}` } })).status).toBe(200);
  } finally {
    daemon.kill('SIGTERM');
    const code = await new Promise((resolve) => daemon.once('exit', resolve));
    expect(code).toBe(0);
  }
}, 400_000);
