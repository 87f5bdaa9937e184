import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Package {
  readonly version?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly name?: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly scripts: { readonly [name: string]: string };
  readonly files: readonly string[];
  readonly allowScripts: { readonly [name: string]: boolean };
  readonly dependencies: { readonly [name: string]: string };
  readonly optionalDependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
};
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: { [path: string]: Package } };
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = ([path, { name }]: readonly [string, Package]): string =>
  name ?? path.split('node_modules/').at(-1) ?? path;

describe('installing', () => {
  it('finds the lock in agreement with package.json (F051)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiro-lock-'));
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(file, join(folder, file));
    const npm = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(npm.stderr).not.toMatch(/EUSAGE|Missing:|Invalid:/);
    expect(npm.status).toBe(0);
  });

  it('asks for exact versions', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    const all = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-\d+)?$/.test(version))).toEqual([]);
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  it('needs no compiler: whatever must be there and is machine code comes prebuilt (F023)', () => {
    const needed = installed.filter(
      ([, { hasInstallScript, optional }]) => hasInstallScript === true && optional !== true,
    );
    expect(needed.map(nameOf)).toContain('@serialport/bindings-cpp');
    const unbuilt = needed.filter(([path]) => !existsSync(join(path, 'prebuilds')));
    expect(unbuilt.map(([path]) => path)).toEqual([]);
    expect(readdirSync('node_modules/@libsql').length).toBeGreaterThan(0);
    expect(Object.keys(manifest.dependencies).filter((name) => name.includes('noble'))).toEqual([]);
  });

  it('names each package whose install script may run, and no other', () => {
    const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    // Only macOS installs it, by its own choice; npm has no script of it to run anywhere else.
    const names = new Set(withScripts.map(nameOf).filter((name) => name !== 'fsevents'));
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...names].sort());
    expect(Object.values(manifest.allowScripts).every((allowed) => allowed)).toBe(true);
  });
});

describe('what is shipped', () => {
  it('has every file it names', () => {
    expect(manifest.files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('starts no development server anywhere, and bundles with a mended vite (F150)', () => {
    const scripts = readdirSync('scripts').map((file) => readFileSync(join('scripts', file), 'utf8'));
    const commands = [...Object.values(manifest.scripts), ...scripts];
    expect(
      commands.filter((text) => /vite(\.js)?['"]?,?\s+(dev|serve|preview|--host)|createServer\(|--host/.test(text)),
    ).toEqual([]);
    const [major = 0, minor = 0] = (lock.packages['node_modules/vite']?.version ?? '').split('.').map(Number);
    expect(major * 100 + minor).toBeGreaterThanOrEqual(801);
  });

  it('ends its lines so that every system can start it', () => {
    expect(readFileSync('tiro', 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(readFileSync('tiro.cmd', 'utf8').match(/(?<!\r)\n/)).toBeNull();
  });
});
