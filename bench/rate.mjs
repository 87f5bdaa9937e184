// (b) Rolls per second: decode -> judge -> journal -> WebSocket and MQTT, against the bare script on the same cable.
import { once } from 'node:events';
import mqtt from 'mqtt';
import WebSocket from 'ws';
import { cable, child, folder, frame, ready, rollFrame, sleep, spread, tell } from './parts.mjs';

const ROUNDS = 5;
const ROLLS = 1000;
/** Frames on their way at once: a serial line never brings more than its buffer holds. */
const WINDOW = 16;

async function drive(line, boot, seen) {
  line.write(frame(`TTHEL,1-1,tray-bench,fw=1,boot=${boot},oldest=1,next=1,ms=0,caps=roll,crc=16`));
  await sleep(50);
  const start = performance.now();
  const from = seen.count;
  for (let seq = 1; seq <= ROLLS; seq++) {
    while (seq - (seen.count - from) > WINDOW) await new Promise((resolve) => setImmediate(resolve));
    line.write(rollFrame(seq, boot, (seq % 20) + 1));
  }
  const limit = performance.now() + 60_000;
  while (seen.count - from < ROLLS && performance.now() < limit) await sleep(1);
  if (seen.count - from < ROLLS) throw new Error(`only ${seen.count - from} of ${ROLLS} rolls came`);
  return (ROLLS / (performance.now() - start)) * 1000;
}

export async function rate() {
  const dir = folder();
  const line = await cable(dir, 'rate');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const mqttPort = port + 1;
  const daemon = await child('daemon.mjs', [JSON.stringify({ args: { port, mqttPort, data: `${dir}/rate-data` }, tuning: {} })], {
    TIRO_DEVICES_SERIAL: JSON.stringify([{ path: line.path }]),
    TIRO_LOG_LEVEL: 'silent',
    TIRO_BLE_ENABLED: 'off',
  });
  await ready(port);
  const ws = { count: 0 };
  const mq = { count: 0 };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?table=prova`);
  socket.on('message', (data) => {
    if (data.toString().includes('"kind":"roll"')) ws.count += 1;
  });
  await once(socket, 'open');
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`);
  client.on('message', () => {
    mq.count += 1;
  });
  await client.subscribeAsync('tiro/prova/roll', { qos: 1 });
  const bareLine = await cable(dir, 'rate-bare');
  const bare = await child('bare-serial.mjs', [bareLine.path]);
  const { port: barePort } = await bare.next();
  const bareSeen = { count: 0 };
  const bareSocket = new WebSocket(`ws://127.0.0.1:${barePort}`);
  bareSocket.on('message', () => {
    bareSeen.count += 1;
  });
  await once(bareSocket, 'open');
  await sleep(500);
  let boot = 1;
  const both = { get count() {
    return Math.min(ws.count, mq.count);
  } };
  await drive(line, boot++, both);
  await drive(bareLine, boot++, bareSeen);
  const rates = [];
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const own = await drive(line, boot++, both);
    const base = await drive(bareLine, boot++, bareSeen);
    rates.push(own);
    ratios.push(base / own);
  }
  console.log(`(b) rolls per second, ${ROUNDS} rounds of ${ROLLS}, at most ${WINDOW} on their way, sides alternating`);
  console.log(`  decode -> judge -> journal (synced) -> ws + mqtt: ${spread(rates, 0)} rolls/s`);
  tell('bare script is faster by', ratios);
  socket.terminate();
  bareSocket.terminate();
  await client.endAsync(true);
  await daemon.end();
  await bare.end();
  line.end();
  bareLine.end();
}
