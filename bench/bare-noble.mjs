// The baseline of the radio benchmark: the library alone, one die, and a WebSocket that says what the die said.
import { createRequire } from 'node:module';
import { WebSocketServer } from 'ws';

const noble = createRequire(import.meta.url)('@abandonware/noble');
const [, , service, hears] = process.argv;
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
let busy = false;

noble.on('stateChange', (state) => {
  if (state === 'poweredOn') noble.startScanning([], true);
});
noble.on('discover', async (peripheral) => {
  if (busy) return;
  busy = true;
  await noble.stopScanningAsync();
  await peripheral.connectAsync({ minInterval: 12, maxInterval: 24, latency: 0, timeout: 300 });
  const { characteristics } = await peripheral.discoverSomeServicesAndCharacteristicsAsync([service], [hears]);
  characteristics[0].on('data', (bytes) => {
    const text = JSON.stringify({ kind: bytes[1] === 1 ? 'roll' : 'rolling', face: bytes[2] + 1 });
    for (const client of server.clients) client.send(text);
  });
  await characteristics[0].subscribeAsync();
});
process.on('disconnect', () => process.exit(0));
server.on('listening', () => process.send?.({ port: server.address().port }));
