import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

type Environment = { readonly [name: string]: string | undefined };

/**
 * Where a program keeps its data on this system: `%APPDATA%\tiro` on Windows, `~/Library/Application Support/tiro` on
 * macOS, else `$XDG_DATA_HOME/tiro` or `~/.local/share/tiro`.
 */
export function defaultDataFolder(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'tiro');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tiro');
  const xdg = env.XDG_DATA_HOME;
  // The XDG rule: a path that is not absolute is as good as none.
  return join(xdg?.startsWith('/') === true ? xdg : join(home, '.local', 'share'), 'tiro');
}

/** The data folder of a configuration: `data.dir`, absolute, or the system's place if it is empty. */
export function dataFolder(dir: string, env: Environment = process.env): string {
  return dir === '' ? defaultDataFolder(env) : resolve(dir);
}

/** The configuration file: `--config`, else `TIRO_CONFIG`, else `tiro.yaml` in the data folder if there is one. */
export function configFile(
  given: { readonly config?: string | undefined; readonly data?: string | undefined },
  env: Environment = process.env,
): string | undefined {
  const named = given.config ?? env.TIRO_CONFIG;
  if (named !== undefined && named !== '') return named;
  const usual = join(dataFolder(given.data ?? env.TIRO_DATA_DIR ?? '', env), 'tiro.yaml');
  return existsSync(usual) ? usual : undefined;
}
