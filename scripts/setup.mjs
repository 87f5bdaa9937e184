// Makes a clone runnable: installs what package-lock.json names, builds dist/, and does nothing when nothing is to do.
// Plain Node without dependencies: it runs before anything is installed. In an installed package (no src/) it is idle.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = [20, 19];
const LOCK_POLL_MS = 100;
const LOCK_WAIT_MS = 15 * 60_000;
const NATIVE_MUST = ['libsql'];
/** Each is one part by any of its names: of the two Bluetooth libraries one is enough. */
const OPTIONAL_PARTS = [['serialport'], ['@abandonware/noble', '@stoprocent/noble']];

/** A failure that the user can read: what went wrong, and what to do. */
export class SetupError extends Error {}

/** Which tree a setup works on, and how it speaks. */
export function setupContext(root = dirname(dirname(fileURLToPath(import.meta.url)))) {
  const italian = Intl.DateTimeFormat().resolvedOptions().locale.startsWith('it') || /^it/.test(process.env.LANG ?? '');
  return { root, say: (it, en) => process.stderr.write(`${italian ? it : en}\n`), italian };
}

/**
 * Installs and builds what is missing or stale. Prints only when it works, and only on standard error.
 * @returns what was done
 * @throws {SetupError} with a readable reason and remedy
 */
export function setUp(context = setupContext(), { rebuild = false } = {}) {
  checkNode(context);
  if (!existsSync(join(context.root, 'src'))) return { installed: false, built: false };
  if (!rebuild && installState(context.root) === 'current' && buildIsCurrent(context.root)) {
    return { installed: false, built: false };
  }
  const release = takeLock(context);
  try {
    return { installed: installIfNeeded(context), built: buildIfNeeded(context, rebuild) };
  } finally {
    release();
  }
}

function checkNode({ italian }) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor, needMinor] = OLDEST_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  const need = OLDEST_NODE.join('.');
  throw new SetupError(
    italian
      ? `Serve Node ${need} o più recente, meglio il 24: questo è ${process.version}. Si scarica da nodejs.org.`
      : `Node ${need} or newer is needed, best 24: this is ${process.version}. Get it from nodejs.org.`,
  );
}

const installStamp = (root) => join(root, 'node_modules', '.tiro-install.json');
const runtime = () => `${process.platform}-${process.arch}-${process.versions.modules}`;

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** `current`, `other-node` (installed under another Node major, system or processor), or `missing`. */
function installState(root) {
  const stamp = readJson(installStamp(root));
  if (stamp === undefined || stamp.lock !== lockHash(root)) return 'missing';
  return stamp.runtime === runtime() ? 'current' : 'other-node';
}

/** True if npm's own record of node_modules says just what package-lock.json says: somebody ran npm by hand. */
function npmInstalledTheSame(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const got = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (wanted === undefined || got === undefined) return false;
  const same = Object.entries(got).every(([path, entry]) => wanted[path]?.version === entry.version);
  const whole = Object.entries(wanted).every(([path, entry]) => {
    return path === '' || entry.optional === true || entry.peer === true || Object.hasOwn(got, path);
  });
  return same && whole;
}

function installIfNeeded(context) {
  const state = installState(context.root);
  if (state === 'current') return false;
  const byHand = state === 'missing' && npmInstalledTheSame(context.root);
  if ((state === 'other-node' || byHand) && nativePartsLoad(context)) {
    writeInstallStamp(context.root);
    return false;
  }
  if (state === 'other-node') {
    context.say(
      `Le parti native erano per un altro Node: le reinstallo per ${process.version}.`,
      `The native parts were made for another Node: installing them again for ${process.version}.`,
    );
  }
  install(context);
  if (!nativePartsLoad(context)) throw new SetupError(nativeRemedy(context));
  writeInstallStamp(context.root);
  return true;
}

function writeInstallStamp(root) {
  writeFileSync(installStamp(root), JSON.stringify({ lock: lockHash(root), runtime: runtime() }));
}

/**
 * Without install scripts: all that is machine code comes prebuilt, while two Bluetooth libraries would be compiled where
 * they need not be, and left out where there is no compiler (F023). Only if a part then does not load is it built here.
 */
function install(context) {
  context.say(
    'Primo avvio: installo le parti che servono (circa un minuto)…',
    'First start: installing the parts this program needs (about a minute)…',
  );
  const installed = runNpm(context.root, ['ci', '--ignore-scripts', '--include=dev', '--include=optional']);
  if (installed.status !== 0) {
    const told = lastLines(installed.output, 15);
    throw new SetupError(
      context.italian
        ? `L'installazione non è riuscita (npm ci). Controlla la rete e riprova; npm dice:\n${told}`
        : `Installing failed (npm ci). Check the network and try again; npm says:\n${told}`,
    );
  }
  const unbuilt = [...NATIVE_MUST, 'serialport'].filter((name) => !loads(context.root, name));
  if (unbuilt.length > 0) runNpm(context.root, ['rebuild', '--foreground-scripts']);
}

function runNpm(root, words) {
  const npm = npmCommand();
  const run = spawnSync(npm.command, [...npm.args, ...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    shell: npm.shell,
    env: childEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status: run.status, output: `${run.stdout ?? ''}\n${run.stderr ?? ''}\n${run.error?.message ?? ''}` };
}

/** What npm hands to its scripts would make a second npm run as the first was told (prefix, omit, script name). */
function childEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => {
    return !/^npm_(lifecycle|package|config_(omit|production|prefix|local_prefix|global|include|dry_run))/i.test(name);
  });
  return Object.fromEntries(kept.filter(([name]) => name !== 'NODE_ENV' && name !== 'VITEST'));
}

/** npm as it started us, else the one that lies beside this Node, else the one in PATH. */
function npmCommand() {
  const beside = dirname(process.execPath);
  const scripts = [
    process.env.npm_execpath ?? '',
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = scripts.find((path) => /^npm-cli\.c?js$/.test(basename(path)) && existsSync(path));
  if (script !== undefined) return { command: process.execPath, args: [script], shell: false };
  // A .cmd can only be started through the Windows command shell; all arguments here are constants.
  const windows = process.platform === 'win32';
  return { command: windows ? 'npm.cmd' : 'npm', args: [], shell: windows };
}

function loads(root, name) {
  const run = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(name)})`], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  });
  // noble keeps its process alive by a timer: that it was still running when its time was over means that it loads.
  return run.status === 0 || run.error?.code === 'ETIMEDOUT';
}

/** True if the parts without which nothing works load under this Node; tells which of the others do not. */
function nativePartsLoad(context) {
  if (!NATIVE_MUST.every((name) => loads(context.root, name))) return false;
  for (const names of OPTIONAL_PARTS) {
    if (names.some((name) => existsSync(join(context.root, 'node_modules', name)))) continue;
    context.say(
      `Manca una parte facoltativa, ${names[0]}: il resto funziona. "tiro doctor" dice che cosa fare.`,
      `An optional part is missing, ${names[0]}: the rest works. "tiro doctor" says what to do.`,
    );
  }
  return true;
}

function nativeRemedy({ italian, root }) {
  const parts = NATIVE_MUST.filter((name) => !loads(root, name)).join(', ');
  return italian
    ? `Una parte nativa non si carica con ${process.version} (${runtime()}): ${parts}. Se npm è impostato con ignore-scripts o senza dipendenze facoltative (omit=optional), toglilo; poi cancella node_modules e riavvia.`
    : `A native part does not load under ${process.version} (${runtime()}): ${parts}. If npm is set to ignore-scripts or to leave out optional dependencies (omit=optional), unset that; then delete node_modules and start again.`;
}

const PROGRAM_INPUTS = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];
/** The rooms that web may import, and what bundles them. */
const PAGES_INPUTS = ['src/web', 'src/client', 'src/wire', 'src/dice', 'vite.config.ts', 'package.json'];
const buildStamp = (root) => join(root, 'dist', '.tiro-build.json');

/** Files below `folder`, as paths relative to it, in order. */
function filesBelow(folder) {
  const found = [];
  const visit = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) visit(path);
      else found.push(relative(folder, path));
    }
  };
  if (existsSync(folder)) visit(folder);
  return found.sort();
}

/** Name, size and time of change of every source in one hash: tells also what was removed or renamed. */
function sourcesPrint(root, inputs, without) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const path = join(root, input);
    if (!existsSync(path)) continue;
    const files = statSync(path).isDirectory() ? filesBelow(path).map((file) => join(path, file)) : [path];
    for (const file of files) {
      const name = relative(root, file);
      if (without !== undefined && name.startsWith(join(without, sep))) continue;
      const { size, mtimeMs } = statSync(file);
      hash.update(`${name}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

const sourcesNow = (root) => ({
  program: sourcesPrint(root, PROGRAM_INPUTS, join('src', 'web')),
  pages: sourcesPrint(root, PAGES_INPUTS),
});

function buildIsCurrent(root) {
  const stamp = readJson(buildStamp(root));
  if (stamp === undefined) return false;
  const now = sourcesNow(root);
  return stamp.program === now.program && stamp.pages === now.pages;
}

/** Builds into a folder of its own and then moves file by file, so that what runs from dist/ never sees half a file. */
function buildIfNeeded(context, rebuild) {
  const { root } = context;
  if (!rebuild && buildIsCurrent(root)) return false;
  context.say('Preparo il programma…', 'Building…');
  const stamp = rebuild ? undefined : readJson(buildStamp(root));
  const now = sourcesNow(root);
  const made = join(root, '.tiro', `build-${process.pid}`);
  const dist = join(root, 'dist');
  rmSync(made, { recursive: true, force: true });
  try {
    if (stamp?.program !== now.program) {
      compile(context, made);
      copyOtherSources(root, made);
      replaceFolder(made, dist, ['web']);
    }
    if (stamp?.pages !== now.pages && bundlePages(context, join(made, 'web'))) {
      replaceFolder(join(made, 'web'), join(dist, 'web'), []);
    }
    writeFileSync(`${made}.json`, JSON.stringify(now));
    renameSync(`${made}.json`, buildStamp(root));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return true;
}

function runTool(root, script, args) {
  const run = spawnSync(process.execPath, [join(root, 'node_modules', ...script), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...childEnvironment(), NODE_ENV: 'production' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status: run.status, output: `${run.stdout ?? ''}\n${run.stderr ?? ''}\n${run.error?.message ?? ''}` };
}

function compile(context, made) {
  const run = runTool(context.root, ['typescript', 'bin', 'tsc'], ['-p', 'tsconfig.build.json', '--outDir', made]);
  if (run.status === 0) return;
  const told = lastLines(run.output, 15);
  const written = existsSync(join(made, 'main.js'));
  if (!written || process.env.CI !== undefined) throw new SetupError(`tsc -p tsconfig.build.json:\n${told}`);
  // Somebody is in the middle of a change: types do not fit, but there is a program to try.
  context.say(`Costruito con errori di tipo:\n${told}`, `Built in spite of type errors:\n${told}`);
}

/** The compiler leaves behind what is not TypeScript (data files): they go with the program as they are. */
function copyOtherSources(root, made) {
  const source = join(root, 'src');
  for (const file of filesBelow(source)) {
    if (/\.tsx?$/.test(file) || file.startsWith(`web${sep}`)) continue;
    mkdirSync(dirname(join(made, file)), { recursive: true });
    copyFileSync(join(source, file), join(made, file));
  }
}

/** @returns false if the pages could not be made and those of before must stay: the table goes on without new ones. */
function bundlePages(context, made) {
  const { root } = context;
  if (!existsSync(join(root, 'src', 'web', 'index.html'))) return true;
  const configured = existsSync(join(root, 'vite.config.ts')) ? ['--config', 'vite.config.ts'] : ['src/web'];
  const args = ['build', ...configured, '--outDir', made, '--emptyOutDir', '--logLevel', 'error'];
  const run = runTool(root, ['vite', 'bin', 'vite.js'], args);
  if (run.status === 0) return true;
  const told = lastLines(run.output, 15);
  if (process.env.CI !== undefined) throw new SetupError(`vite build:\n${told}`);
  context.say(`Le pagine non si sono potute costruire:\n${told}`, `The pages could not be built:\n${told}`);
  return false;
}

/** Brings `to` to hold just what `from` holds, and the folders named to keep; what is the same stays untouched. */
function replaceFolder(from, to, keep) {
  const files = filesBelow(from);
  for (const file of files) {
    const target = join(to, file);
    if (existsSync(target) && readFileSync(target).equals(readFileSync(join(from, file)))) continue;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(from, file), target);
  }
  const kept = new Set([...files, '.tiro-build.json']);
  for (const file of filesBelow(to)) {
    const stays = keep.some((folder) => file.startsWith(`${folder}${sep}`));
    if (!kept.has(file) && !stays) rmSync(join(to, file));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Waits for whoever is at it already; a lock whose owner is gone is taken over. */
function takeLock(context) {
  const lock = join(context.root, '.tiro', 'setup.lock');
  mkdirSync(dirname(lock), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, at: Date.now() });
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    for (let told = false; !linked(draft, lock); told = true) {
      if (!told && ownerIsGone(lock)) {
        breakLock(lock);
        continue;
      }
      if (!told)
        context.say('Un altro avvio sta preparando il programma: aspetto…', 'Another start is setting up: waiting…');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
      if (ownerIsGone(lock)) breakLock(lock);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => rmSync(lock, { force: true });
}

/** A hard link comes into being whole or not at all, on every file system that has links; elsewhere `wx` must do. */
function linked(draft, lock) {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
  }
  try {
    writeFileSync(lock, readFileSync(draft), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function ownerIsGone(lock) {
  const owner = readJson(lock);
  if (owner === undefined) return !existsSync(lock) || Date.now() - statSync(lock).mtimeMs > LOCK_WAIT_MS;
  return !isAlive(owner.pid) || Date.now() - owner.at > LOCK_WAIT_MS;
}

/** Moves the dead lock aside and looks at what was moved: if a live one came between, it is put back. */
function breakLock(lock) {
  const aside = `${lock}.dead-${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (!ownerIsGone(aside)) linked(aside, lock);
  try {
    unlinkSync(aside);
  } catch {
    // Already gone: nothing is left to clear.
  }
}

function lastLines(text, count) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).join('\n');
}

/** Runs the setup for a command: a failure is told in plain words and ends the process with 1. */
export function setUpOrExit(options) {
  try {
    return setUp(setupContext(), options);
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`);
    return process.exit(1);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  setUpOrExit({ rebuild: process.argv.includes('--build') });
}
