// The baseline of the fan-out benchmark: one prepared buffer to every client, nothing else.
import { randomFillSync } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { memory } from './memory.mjs';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
process.on('message', (ask) => {
  if (ask === 'memory') return process.send?.(memory());
  if (typeof ask === 'object') {
    const buffer = Buffer.from(randomFillSync(Buffer.alloc(ask.bytes / 2)).toString('hex').padEnd(ask.bytes, '0'));
    for (const client of server.clients) client.send(buffer, { binary: false });
  }
  const cpu = process.cpuUsage();
  process.send?.({ cpuMs: (cpu.user + cpu.system) / 1000 });
});
process.on('disconnect', () => process.exit(0));
server.on('listening', () => process.send?.({ port: server.address().port }));
