import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/** Secrets that the compose file asks for, each 32 random bytes. */
const SECRETS = ['TIRO_HTTP_GM_TOKEN', 'TIRO_MQTT_PASSWORD'] as const;

/**
 * `tiro compose`: writes the secrets of docker-compose.yml into `.env` beside it, readable for its owner only. What
 * stands there already is kept; a second run changes nothing.
 * @returns exit code: 0, or 1 where no compose file is or the file cannot be written
 */
export function compose(folder: string, stdout: Writable, stderr: Writable): number {
  if (!existsSync(join(folder, 'docker-compose.yml'))) {
    stderr.write(`tiro compose: no docker-compose.yml in ${folder}: run it in the folder that holds it\n`);
    return 1;
  }
  const file = join(folder, '.env');
  try {
    const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const missing = SECRETS.filter((name) => !new RegExp(`^${name}=.`, 'm').test(known));
    const lines = missing.map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`);
    const fd = openSync(file, 'a', 0o600);
    writeSync(fd, `${known === '' || known.endsWith('\n') ? '' : '\n'}${lines.join('')}`);
    closeSync(fd);
    stdout.write(
      missing.length === 0 ? `.env has all secrets already\n` : `wrote ${missing.join(' and ')} into .env\n`,
    );
    stdout.write('next: docker compose --profile alone up -d   (or --profile mosquitto)\n');
    stdout.write('The GM opens http://THIS-COMPUTER:8706/gm/prova?token=… with the value of TIRO_HTTP_GM_TOKEN.\n');
    return 0;
  } catch (error) {
    stderr.write(`tiro compose: ${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
