import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { cleanUpBrokers, LOGIN, mosquitto, program, writePassword } from '../broadcast/brokers.js';
import { cleanUpVenues, Listener } from '../broadcast/external.js';
import { cleanUp, Daemon, freshFolder, PROGRAM, sleep, until } from './daemon.js';

const CI = process.env.CI !== undefined;
const tools = ['mosquitto', 'mosquitto_passwd', 'mosquitto_sub', 'ip', 'unshare'];
const absent = tools.filter((name) => program(name) === null);
// A network of its own belongs to root, or to whoever the kernel lets be root of a small world.
const world = process.getuid?.() === 0 ? ['-n'] : ['-rn'];
const apart = absent.length === 0 && spawnSync('unshare', [...world, 'true']).status === 0;
if (absent.length > 0) process.stderr.write(`not installed, so not tested: ${absent.join(', ')}\n`);
const when = test.skipIf(program('mosquitto') === null && !CI);

afterEach(cleanUp);
afterAll(async () => {
  await cleanUpVenues();
  await cleanUpBrokers();
});

when(
  'the built daemon: the password from a file, rolls over an absence of broker and daemon, a clean stop',
  async () => {
    const broker = await mosquitto();
    const data = freshFolder();
    const secret = join(freshFolder(), 'password');
    writeFileSync(secret, `${LOGIN.password}\n`);
    const env = {
      TIRO_MQTT_MODE: 'external',
      TIRO_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      TIRO_MQTT_USERNAME: LOGIN.username,
      TIRO_MQTT_PASSWORD_FILE: secret,
      TIRO_LOG_LEVEL: 'warn',
    };
    // The broker comes after the daemon: nothing waits for it.
    const daemon = await Daemon.start({ data, env, mqtt: 0 });
    const status = async (): Promise<{ connected: boolean; reason?: string }> =>
      (await daemon.get('/api/v1/status')).json.mqtt;
    expect(await status()).toMatchObject({ mode: 'external', connected: false, url: env.TIRO_MQTT_URL });
    expect((await status()).reason).toContain('ECONNREFUSED');
    const thrown: number[] = [];
    const roll = async (on: Daemon, natural: number): Promise<void> => {
      const reply = await on.fake('fake-godice-d20', 'roll', { natural });
      if (typeof reply.json.roll !== 'string') throw new Error(reply.text);
      thrown.push(natural);
    };
    await broker.start();
    const keeper = await Listener.open(broker.port, 'tiro/prova/roll', { clean: false, clientId: 'keeper' });
    await until('connected', async () => (await status()).connected, 20_000);
    for (const natural of [3, 4]) await roll(daemon, natural);
    await keeper.until(() => keeper.rolls().length === 2);
    // Mosquitto writes its sessions down once a second.
    await sleep(1500);
    await broker.kill();
    for (const natural of [5, 6, 7]) await roll(daemon, natural);
    await daemon.kill('SIGKILL');
    await broker.start();
    const again = await Daemon.start({ data, env, mqtt: 0 });
    await keeper.until(() => keeper.rolls().length === 5, 20_000);
    await roll(again, 8);
    await keeper.until(() => keeper.rolls().length === 6);
    expect(keeper.rolls().map(({ natural }) => natural)).toEqual(thrown);
    expect(keeper.rolls().map(({ late }) => late)).toEqual([false, false, true, true, true, false]);
    const from = performance.now();
    expect(await again.stop()).toBe(0);
    expect(performance.now() - from).toBeLessThan(5000);
    const after = await Listener.open(broker.port, 'tiro/prova/status');
    await after.until(() => after.heard.length === 1);
    expect(after.heard[0]).toMatchObject({ text: 'offline', retain: true });
  },
  90_000,
);

/** What happens in a network of its own, in which 198.51.100.7 is this computer and not its loopback. */
const SCRIPT = `
ip link set lo up && ip addr add 198.51.100.7/32 dev lo || exit 9
mosquitto -c "$FOLDER/mosquitto.conf" 2>"$FOLDER/mosquitto.log" & broker=$!
daemon=
trap 'kill $broker $daemon 2>/dev/null; wait' EXIT
for n in $(seq 100); do grep -q running "$FOLDER/mosquitto.log" && break; sleep 0.1; done
mosquitto_sub -h 198.51.100.7 -t '#' -C 1 -W 5 2>/dev/null; echo "anonymous $?"
mosquitto_sub -h 198.51.100.7 -u tiro -P wrong -t '#' -C 1 -W 5 2>/dev/null; echo "wrong $?"
"$NODE" "$PROGRAM" start --port 0 --data "$FOLDER/data" >"$FOLDER/daemon.log" 2>&1 & daemon=$!
for n in $(seq 10); do
  told=$(mosquitto_sub -h 198.51.100.7 -u tiro -P "$PASSWORD" -t tiro/prova/status -C 1 -W 5) && break
done
echo "named $told"
kill $daemon; wait $daemon; echo "ended $?"
mosquitto_sub -h 198.51.100.7 -u tiro -P "$PASSWORD" -t tiro/prova/status -C 1 -W 5
`;

test.skipIf(!apart && !CI)(
  'F103 the shipped Mosquitto configuration, from an address that is not loopback: login in, anonymous out',
  async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'data'));
    writePassword(folder, LOGIN.password);
    const conf = readFileSync('config/mosquitto/mosquitto.conf', 'utf8');
    const placed = conf.replaceAll('/mosquitto/config/', `${folder}/`).replaceAll('/mosquitto/data/', `${folder}/`);
    // Mosquitto would change to a user of its own, who may not read here.
    writeFileSync(join(folder, 'mosquitto.conf'), `user root\n${placed}`);
    const env = {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      HOME: folder,
      FOLDER: folder,
      NODE: process.execPath,
      PROGRAM,
      PASSWORD: LOGIN.password,
      TIRO_MQTT_MODE: 'external',
      TIRO_MQTT_URL: 'mqtt://198.51.100.7',
      TIRO_MQTT_USERNAME: LOGIN.username,
      TIRO_MQTT_PASSWORD: LOGIN.password,
      TIRO_BLE_ENABLED: 'off',
    };
    const out = await new Promise<string>((resolve) => {
      execFile('unshare', [...world, 'sh', '-c', SCRIPT], { env, timeout: 60_000 }, (_error, stdout) =>
        resolve(stdout),
      );
    });
    expect(out.trim().split('\n'), readFileSync(join(folder, 'mosquitto.log'), 'utf8')).toEqual([
      'anonymous 5',
      'wrong 5',
      'named online',
      'ended 0',
      'offline',
    ]);
  },
  90_000,
);
