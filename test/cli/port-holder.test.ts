import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { portHolder } from '../../src/cli/port-holder.js';
import { freshFolder, removeFolders } from '../journal/built.js';

afterAll(removeFolders);

/** Enough of them that the number of one comes before that of its parent, as words are sorted. */
const CHILDREN = 12;

describe.runIf(process.platform === 'linux')('the program on a port', () => {
  test('is the one that opened it, whoever has it from there', async () => {
    const server = createServer();
    const script = join(freshFolder(), 'heir.mjs');
    writeFileSync(script, "process.once('message', (_, server) => process.send(server.listening));\n");
    const heirs: ChildProcess[] = [];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      for (let made = 0; made < CHILDREN; made += 1) heirs.push(fork(script));
      await Promise.all(
        heirs.map(async (heir) => {
          heir.send('yours too', server);
          expect(await once(heir, 'message')).toEqual([true, undefined]);
        }),
      );
      expect(portHolder(port)).toMatch(new RegExp(`\\(pid ${process.pid}\\)$`));
    } finally {
      for (const heir of heirs) heir.kill();
      server.close();
    }
    await expect.poll(() => portHolder(port)).toBeUndefined();
  });
});
