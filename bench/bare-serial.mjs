// The baseline of the latency benchmark: what somebody writes in twenty lines, without rules, journal or checks.
import { ReadlineParser } from '@serialport/parser-readline';
import { SerialPort } from 'serialport';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
const port = new SerialPort({ path: process.argv[2], baudRate: 115200 });
port.pipe(new ReadlineParser({ delimiter: '\n' })).on('data', (line) => {
  const [type, seq, , , die, value] = line.slice(1).split('*')[0].split(',');
  if (type !== 'TTROL') return;
  const text = JSON.stringify({ kind: 'roll', seq: Number(seq), die, natural: Number(value) });
  for (const client of server.clients) client.send(text);
});
process.on('message', () => {
  const cpu = process.cpuUsage();
  process.send?.({ cpuMs: (cpu.user + cpu.system) / 1000, lagP99: 0, lagMax: 0 });
});
process.on('disconnect', () => process.exit(0));
server.on('listening', () => process.send?.({ port: server.address().port }));
