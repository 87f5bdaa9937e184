import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const repository = resolve('.');
let root: string;

/** A small clone of its own: our scripts, a program of two files, and the installed packages by links. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tiro-setup-'));
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tiro', 'scripts']) {
    cpSync(join(repository, file), join(root, file), { recursive: true });
  }
  mkdirSync(join(root, 'src', 'dice'), { recursive: true });
  writeFileSync(
    join(root, 'src', 'main.ts'),
    "import { face } from './dice/die.js';\nconsole.log(face, process.argv.slice(2).join(' '));\n",
  );
  writeFileSync(join(root, 'src', 'dice', 'die.ts'), 'export const face = 17;\n');
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (name === '.tiro-install.json') continue;
    symlinkSync(join(repository, 'node_modules', name), join(root, 'node_modules', name));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const english = { ...process.env, LANG: 'C', LC_ALL: 'C', CI: undefined, npm_execpath: '' };

function run(args: readonly string[], env: NodeJS.ProcessEnv = english) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** A program in npm's place that notes how it was called. */
function npmThat(text: string): NodeJS.ProcessEnv {
  const script = join(root, 'npm-cli.js');
  writeFileSync(script, `require('fs').appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n'); ${text}`);
  writeFileSync(join(root, 'package.json'), '{"type":"commonjs"}');
  return { ...english, npm_execpath: script };
}

describe('the setup', () => {
  it('builds once, then says nothing and does nothing; a command has standard output for itself', () => {
    const first = run(['tiro', 'a', 'b']);
    expect(first).toMatchObject({ status: 0, stdout: '17 a b\n', stderr: 'Building…\n' });
    expect(run(['tiro', 'c'])).toEqual({ status: 0, stdout: '17 c\n', stderr: '' });
    expect(run(['scripts/start.mjs', '--port', '1'])).toEqual({ status: 0, stdout: '17 start --port 1\n', stderr: '' });
  });

  it('builds again after a change, and removes what is gone', () => {
    run(['tiro']);
    writeFileSync(join(root, 'src', 'dice', 'die.ts'), 'export const face = 9;\n');
    expect(run(['tiro']).stdout).toBe('9 \n');
    writeFileSync(join(root, 'src', 'main.ts'), "console.log('alone');\n");
    unlinkSync(join(root, 'src', 'dice', 'die.ts'));
    expect(run(['tiro'])).toMatchObject({ stdout: 'alone\n', stderr: 'Building…\n' });
    expect(existsSync(join(root, 'dist', 'dice', 'die.js'))).toBe(false);
  });

  it('tells a type error: outside CI there is still a program to try, in CI there is none', () => {
    writeFileSync(join(root, 'src', 'dice', 'die.ts'), "export const face: string = 17;\nexport const x = '';\n");
    const inCi = run(['tiro'], { ...english, CI: 'true' });
    expect(inCi).toMatchObject({ status: 1, stdout: '' });
    expect(inCi.stderr).toMatch(/src\/dice\/die\.ts\(1,14\): error TS2322/);
    expect(run(['tiro'])).toMatchObject({ status: 0, stdout: '17 \n', stderr: expect.stringContaining('TS2322') });
  });

  it('builds only once when several start together, and takes over the lock of one that died', async () => {
    mkdirSync(join(root, '.tiro'));
    writeFileSync(join(root, '.tiro', 'setup.lock'), JSON.stringify({ pid: 2 ** 30, at: Date.now() }));
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) => {
        const child = spawn(process.execPath, ['tiro', String(n)], { cwd: root, env: english });
        let told = '';
        child.stdout.on('data', (chunk: Buffer) => (told += chunk));
        child.stderr.on('data', (chunk: Buffer) => (told += chunk));
        return new Promise<string>((done) => child.on('close', (code) => done(`${code} ${told}`)));
      }),
    );
    expect(outcomes.filter((told) => told.startsWith('0 ') && /17 \d\n/.test(told))).toHaveLength(3);
    expect(outcomes.join('').match(/Building/g)).toHaveLength(1);
    expect(readdirSync(join(root, '.tiro'))).toEqual([]);
  });

  it('is idle in an installed package, which has no sources', () => {
    run(['tiro']);
    rmSync(join(root, 'src'), { recursive: true });
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(run(['tiro'])).toEqual({ status: 0, stdout: '17 \n', stderr: '' });
  });
});

describe('installing', () => {
  it('runs npm ci if node_modules is not what package-lock.json says, and believes npm where it is', () => {
    const env = npmThat('process.exit(0)');
    expect(run(['scripts/setup.mjs'], env)).toMatchObject({ status: 0 });
    expect(existsSync(join(root, 'npm.log'))).toBe(false);
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
    writeFileSync(
      join(root, 'package-lock.json'),
      lock.replace(/("node_modules\/zod": \{\s*"version": ")[^"]+/, '$10.0.1'),
    );
    expect(run(['scripts/setup.mjs'], env)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('First start'),
    });
    expect(readFileSync(join(root, 'npm.log'), 'utf8')).toMatch(/^ci --ignore-scripts --include=dev /);
    expect(run(['scripts/setup.mjs'], env)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('fails in plain words', () => {
    const env = npmThat("console.error('npm error network'); process.exit(1)");
    unlinkSync(join(root, 'node_modules', '.package-lock.json'));
    const { status, stderr } = run(['scripts/setup.mjs'], env);
    expect(status).toBe(1);
    expect(stderr).toMatch(/Installing failed \(npm ci\)\. Check the network.*\nnpm error network\n$/);
  });

  it('installs native parts again that another Node left, and says so if they still do not load (F140)', () => {
    const env = npmThat('process.exit(0)');
    run(['scripts/setup.mjs'], env);
    const stamp = join(root, 'node_modules', '.tiro-install.json');
    const { lock } = JSON.parse(readFileSync(stamp, 'utf8')) as { lock: string };
    writeFileSync(stamp, JSON.stringify({ lock, runtime: 'linux-x64-1' }));
    expect(run(['scripts/setup.mjs'], env)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(join(root, 'npm.log'))).toBe(false);

    writeFileSync(stamp, JSON.stringify({ lock, runtime: 'linux-x64-1' }));
    unlinkSync(join(root, 'node_modules', 'libsql'));
    const { status, stderr } = run(['scripts/setup.mjs'], env);
    expect(status).toBe(1);
    expect(stderr).toContain('native parts were made for another Node');
    expect(stderr).toMatch(/does not load under v\d+.*: libsql\..*delete node_modules/s);
    expect(readFileSync(join(root, 'npm.log'), 'utf8')).toMatch(/^ci /);
  });

  it('refuses a Node that is too old before anything else', () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } });";
    const { status, stderr } = run([
      '-e',
      `${old} import('./scripts/setup.mjs').then((setup) => setup.setUpOrExit());`,
    ]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Node 20\.19 or newer is needed/);
  });
});
