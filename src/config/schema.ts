import { z } from 'zod';
import { leaf, section } from './leaf.js';

const port = z.number().int().min(0).max(65_535);
const milliseconds = z.number().int().min(0).max(60_000);
const hostName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[\w.:-]+$/, 'a host name or address without scheme and path');
const origin = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[^/\s]+$/, 'an origin such as http://192.168.1.5:3000, without a path');

const serialPort = z.strictObject({
  path: z.string().min(1).max(300).describe('/dev/ttyACM0, /dev/serial/by-id/…, COM3, or auto'),
  baud: z.number().int().min(300).max(4_000_000).prefault(115_200),
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a small letter or digit, then at most 31 of a-z 0-9 _ -')
    .optional(),
  compat: z.boolean().optional().describe('a tray that prints d20:17 or Roll: 17, one throw a line, instead of TTP/1'),
});

const http = section({
  port: leaf(port, 8706, {
    title: 'Port of the pages and the API',
    titolo: 'Porta delle pagine e delle API',
    unit: 'port',
    example: 18706,
  }),
  host: leaf(hostName, '127.0.0.1', {
    title: 'Address to listen on; 127.0.0.1 also listens on ::1',
    titolo: 'Indirizzo su cui ascoltare; 127.0.0.1 ascolta anche su ::1',
    example: '0.0.0.0',
  }),
  trustLoopback: leaf(z.boolean(), true, {
    title: 'Programs on this computer need no token',
    titolo: 'Ai programmi di questo computer non serve un gettone',
    example: false,
  }),
  gmToken: leaf(
    z
      .string()
      .max(128)
      .regex(/^([!-~]{32,})?$/, 'at least 32 printable characters; ./tiro compose makes one'),
    '',
    {
      title: "A GM's token given from outside, as in a container; empty: only those of tiro token",
      titolo: 'Un gettone del Master dato da fuori, come in un contenitore; vuoto: solo quelli di tiro token',
      example: 'at-least-32-characters-made-by-chance',
      secret: true,
    },
  ),
  allowedHosts: leaf(z.array(hostName).max(100), [], {
    title: 'Further names by which this computer may be addressed',
    titolo: 'Altri nomi con cui ci si può rivolgere a questo computer',
    example: ['tavolo.lan'],
  }),
  allowedOrigins: leaf(z.array(origin).max(100), [], {
    title: 'Further web pages that may speak to the table',
    titolo: 'Altre pagine web che possono parlare al tavolo',
    example: ['http://192.168.1.5:3000'],
  }),
});

const brokerUrl = z
  .string()
  .max(300)
  .regex(
    /^(mqtts?:\/\/([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?\/?)?$/,
    'an address such as mqtt://broker.lan:1883 or mqtts://…, without user and password',
  );
const filePath = z.string().max(1000);

const mqtt = section({
  mode: leaf(z.enum(['embedded', 'external', 'off']), 'embedded', {
    title: 'The MQTT broker inside, one that runs elsewhere (mqtt.url), or none',
    titolo: 'Il broker MQTT interno, uno che gira altrove (mqtt.url), o nessuno',
    example: 'external',
  }),
  port: leaf(port, 1883, {
    title: 'Port of the MQTT broker inside, which only this computer can reach',
    titolo: 'Porta del broker MQTT interno, che solo questo computer raggiunge',
    unit: 'port',
    example: 11883,
  }),
  url: leaf(brokerUrl, '', {
    title: 'Address of the broker that runs elsewhere',
    titolo: 'Indirizzo del broker che gira altrove',
    example: 'mqtts://broker.lan:8883',
  }),
  username: leaf(z.string().max(200), '', {
    title: 'User at the broker that runs elsewhere',
    titolo: 'Utente presso il broker che gira altrove',
    example: 'tavolo',
  }),
  password: leaf(z.string().max(4096), '', {
    title: 'Password at the broker that runs elsewhere',
    titolo: 'Password presso il broker che gira altrove',
    example: 'not-this-one',
    secret: true,
  }),
  ca: leaf(filePath, '', {
    title: 'File of the certificate authority that signed the broker (mqtts); empty: the usual ones',
    titolo: "File dell'autorità che ha firmato il certificato del broker (mqtts); vuoto: quelle comuni",
    example: '/etc/tiro/ca.pem',
  }),
  cert: leaf(filePath, '', {
    title: "File of this table's own certificate, where the broker asks for one",
    titolo: 'File del certificato di questo tavolo, se il broker lo chiede',
    example: '/etc/tiro/tiro.pem',
  }),
  key: leaf(filePath, '', {
    title: "File of the key to this table's certificate",
    titolo: 'File della chiave del certificato di questo tavolo',
    example: '/etc/tiro/tiro.key',
  }),
  clientId: leaf(
    z
      .string()
      .max(64)
      .regex(/^[\w.-]*$/, 'letters, digits, dots and dashes'),
    '',
    {
      title: 'Client id at the broker, followed by the table; empty: chosen once and kept',
      titolo: 'Identificativo presso il broker, seguito dal tavolo; vuoto: scelto una volta e conservato',
      example: 'tiro-sala',
    },
  ),
  protocol: leaf(z.union([z.literal(4), z.literal(5)]), 4, {
    title: 'Version of MQTT: 4 is 3.1.1, which every broker speaks; 5 for Mosquitto and newer ones',
    titolo: 'Versione di MQTT: 4 è la 3.1.1, che tutti i broker parlano; 5 per Mosquitto e i più recenti',
    example: 5,
  }),
});

const dice = section({
  settle: section({
    godice: leaf(milliseconds, 250, {
      title: 'A GoDice throw counts after lying this long',
      titolo: 'Un tiro GoDice vale dopo essere rimasto fermo per questo tempo',
      unit: 'ms',
      example: 400,
    }),
    pixels: leaf(milliseconds, 0, {
      title: 'A Pixels throw counts after lying this long',
      titolo: 'Un tiro Pixels vale dopo essere rimasto fermo per questo tempo',
      unit: 'ms',
      example: 100,
    }),
  }),
  dwell: section({
    godice: leaf(milliseconds, 800, {
      title: 'A GoDice tracker is believed after lying still this long',
      titolo: 'Un dado segnapunti GoDice è creduto dopo essere rimasto fermo per questo tempo',
      unit: 'ms',
      example: 1200,
    }),
    pixels: leaf(milliseconds, 600, {
      title: 'A Pixels tracker is believed after lying still this long',
      titolo: 'Un dado segnapunti Pixels è creduto dopo essere rimasto fermo per questo tempo',
      unit: 'ms',
      example: 1000,
    }),
  }),
  percentile: leaf(z.enum(['zero', 'ten']), 'zero', {
    title: 'Ones die of a d100 pair: 0 to 9, 00 and 0 being 100 (zero), or 1 to 10 (ten)',
    titolo: 'Dado delle unità di un d100: da 0 a 9, con 00 e 0 che vale 100 (zero), o da 1 a 10 (ten)',
    example: 'ten',
  }),
});

const devices = section({
  fake: leaf(z.enum(['auto', 'on', 'off']), 'auto', {
    title: 'Simulated dice for trying things out; auto: until a real device is configured',
    titolo: 'Dadi simulati per provare; auto: finché non è configurato un dispositivo vero',
    example: 'off',
  }),
  serial: leaf(z.array(serialPort).max(16), [], {
    title: 'Dice trays on serial or USB ports; path auto finds one by itself',
    titolo: 'Vassoi su porte seriali o USB; con path auto si trovano da soli',
    example: [{ path: '/dev/ttyACM0', baud: 115_200 }],
  }),
});

/** Bluetooth adapters of one table: as many as a computer may have. */
const MAX_ADAPTERS = 8;

const ADAPTER_NAME = 'hci1, or an address such as 00:1A:7D:DA:71:13';
const ADAPTER_ACCESS = 'native, or uart: and a serial port, as uart:/dev/ttyACM0';
const adapterName = z.string().regex(/^(hci\d{1,2}|([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2})$/, ADAPTER_NAME);
const adapterAccess = z
  .string()
  .max(300)
  .regex(/^(native|uart:\S+)$/, ADAPTER_ACCESS);
const adapterLinks = z.number().int().min(1).max(64);

/** A list of adapters, each named once. */
const adaptersOf = <T extends z.ZodType<string>>(one: T) =>
  z.array(one).min(1).max(MAX_ADAPTERS).refine(areDifferent, 'each adapter once');
const areDifferent = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase())).size === names.length;

const ble = section({
  enabled: leaf(z.enum(['auto', 'on', 'off']), 'auto', {
    title: 'Bluetooth dice; auto: if this computer has Bluetooth',
    titolo: 'Dadi Bluetooth; auto: se questo computer ha il Bluetooth',
    example: 'off',
  }),
  driver: leaf(z.enum(['auto', 'abandonware', 'stoprocent']), 'auto', {
    title: 'Bluetooth library',
    titolo: 'Libreria Bluetooth',
    example: 'stoprocent',
  }),
  hci: leaf(z.union([adapterAccess, adaptersOf(adapterAccess)], `${ADAPTER_ACCESS}; or a list of them`), 'native', {
    title: "How the adapter is reached: this computer's own Bluetooth, or one on a serial port; a list for several",
    titolo: "Come si raggiunge l'adattatore: il Bluetooth del computer, o uno su porta seriale; più d’uno in un elenco",
    example: 'uart:/dev/ttyACM0',
    several: true,
  }),
  adapter: leaf(
    z.union([z.literal(''), adapterName, adaptersOf(adapterName)], `${ADAPTER_NAME}; or a list of them`),
    '',
    {
      title:
        'Which Bluetooth adapter, where there are several: its address, or hci0, hci1; empty: the first; a list: each of these',
      titolo:
        'Quale adattatore Bluetooth, se ce n’è più d’uno: il suo indirizzo, oppure hci0, hci1; vuoto: il primo; un elenco: tutti quelli',
      example: ['00:1A:7D:DA:71:13', 'hci1'],
      several: true,
    },
  ),
  links: leaf(
    z.union([adapterLinks, z.array(adapterLinks).min(1).max(MAX_ADAPTERS)], 'a whole number, or a list of them'),
    7,
    {
      title: 'Dice that a Bluetooth adapter carries at once, or a list; the others are followed by what they advertise',
      titolo: 'Dadi che un adattatore Bluetooth collega insieme, o un elenco; gli altri si seguono dagli annunci',
      unit: 'dice',
      example: 5,
      several: true,
    },
  ),
});

/** The whole configuration: every leaf with title, default and example; unknown keys refuse the start. */
export const configSchema = section({
  language: leaf(z.enum(['it', 'en']), 'it', {
    title: 'Language of pages and messages',
    titolo: 'Lingua di pagine e messaggi',
    example: 'en',
  }),
  log: section({
    level: leaf(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info', {
      title: 'How much is logged',
      titolo: 'Quanto si scrive nel registro',
      example: 'debug',
    }),
  }),
  data: section({
    dir: leaf(z.string().max(1000), '', {
      title: "Folder of chronicle and tokens; empty: the system's place for program data",
      titolo: 'Cartella di cronaca e gettoni; vuota: il posto del sistema per i dati dei programmi',
      example: '/var/lib/tiro',
    }),
  }),
  http,
  mqtt,
  dice,
  devices,
  ble,
});

type Frozen<T> = T extends readonly (infer I)[]
  ? readonly Frozen<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** The configuration as the program uses it: read once, passed as a value. */
export type Config = Frozen<z.output<typeof configSchema>>;

/** The configuration of a first start. */
export const defaultConfig = (): Config => configSchema.parse({});
