// The baseline of the radio benchmark: the Bluetooth library alone, with the first die it meets, and a socket that is told
// each roll. No checks, no rules, no journal, no second process.
import noble from '@abandonware/noble';
import { WebSocketServer } from 'ws';

const SERVICE = '6e400001b5a3f393e0a9e50e24dcca9e';
const WRITES = '6e400002b5a3f393e0a9e50e24dcca9e';
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
let met = false;

noble.on('stateChange', (state) => state === 'poweredOn' && noble.startScanning([], true));
noble.on('discover', async (peripheral) => {
  if (met || !(peripheral.advertisement.localName ?? '').startsWith('Pixel')) return;
  met = true;
  noble.stopScanning();
  await peripheral.connectAsync({ minInterval: 12, maxInterval: 24, latency: 0, timeout: 300 });
  const found = await peripheral.discoverSomeServicesAndCharacteristicsAsync([SERVICE], [SERVICE, WRITES]);
  const hears = found.characteristics.find(({ uuid }) => uuid === SERVICE);
  hears.on('data', (data) => {
    if (data[0] !== 3 || data[1] !== 1) return;
    for (const client of server.clients) client.send(JSON.stringify({ kind: 'roll', natural: data[2] + 1 }));
  });
  await hears.subscribeAsync();
  process.send?.({ linked: true });
});
process.on('disconnect', () => process.exit(0));
server.on('listening', () => process.send?.({ port: server.address().port }));
