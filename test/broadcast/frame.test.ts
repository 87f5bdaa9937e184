import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { textFrame } from '../../src/broadcast/frame.js';

const TEXTS = [
  '',
  'x'.repeat(125),
  'x'.repeat(126),
  'è'.repeat(63),
  'x'.repeat(0xffff),
  'x'.repeat(0x10000),
  '🎲'.repeat(70_000),
];

test('a text message made once is read as ws reads its own, at every length of RFC 6455', async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      for (const text of TEXTS) {
        socket.write(textFrame(text));
        client.send(text);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const heard: string[] = [];
  await new Promise<void>((resolve, reject) => {
    client.once('error', reject);
    client.on('message', (data, binary) => {
      expect(binary).toBe(false);
      if (heard.push(String(data)) === 2 * TEXTS.length) resolve();
    });
  });
  client.terminate();
  server.close();
  expect(heard).toEqual(TEXTS.flatMap((text) => [text, text]));
});
