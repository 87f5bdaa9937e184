// A process of its own that opens a tray by the built program and prints each change of its status as JSON.
import { SerialTray } from '../../dist/devices/serial/tray.js';

const tray = new SerialTray({ path: process.argv[2], epoch: 1 });
let last = '';
tray.start(() => undefined);
setInterval(() => {
  const { link, code, reason } = tray.status();
  const word = JSON.stringify({ link, code, reason });
  if (word !== last) process.stdout.write(`${word}\n`);
  last = word;
}, 50);
process.stdin.on('end', () => process.exit(0)).resume();
setTimeout(() => process.exit(2), 30_000);
