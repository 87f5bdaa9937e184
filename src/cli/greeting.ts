import type { MqttState } from '../broadcast/routes-state.js';
import type { BluetoothState } from '../devices/ble/probe.js';
import type { Running } from './running.js';

/** Where the daemon can be reached, and what of it works. */
export interface Reached {
  readonly urls: readonly string[];
  readonly mqtt: MqttState;
  readonly data: string;
  readonly fakes: 'auto' | 'on' | 'off';
}

const WORDS = {
  it: {
    pages: 'Pagine',
    gm: 'Master',
    mqtt: 'MQTT',
    fakes: 'Dadi finti',
    trays: 'Vassoi',
    tables: 'Tavoli',
    chronicle: 'Cronaca',
    bluetooth: 'Bluetooth',
    no: 'no:',
    taken: 'la porta {port} è occupata',
    noTrays: 'nessuno configurato (devices.serial)',
    noFakes: 'spenti (devices.fake)',
    noMqtt: 'spento (mqtt.mode)',
    works: 'pronto: muovi i dadi, poi aggiungili dallo schermo del Master',
    stop: 'Per fermare: Ctrl+C',
  },
  en: {
    pages: 'Pages',
    gm: 'GM',
    mqtt: 'MQTT',
    fakes: 'Fake dice',
    trays: 'Trays',
    tables: 'Tables',
    chronicle: 'Chronicle',
    bluetooth: 'Bluetooth',
    no: 'no:',
    taken: 'port {port} is taken',
    noTrays: 'none configured (devices.serial)',
    noFakes: 'off (devices.fake)',
    noMqtt: 'off (mqtt.mode)',
    works: 'ready: move your dice, then add them on the GM screen',
    stop: 'To stop: Ctrl+C',
  },
} as const;

/** What a person reads at the terminal: a few lines that say what works, what does not and why. */
export class Greeting {
  readonly #language: 'it' | 'en';
  readonly #say: (line: string) => void;

  constructor(language: 'it' | 'en', say: (line: string) => void) {
    this.#language = language;
    this.#say = say;
  }

  ready(running: Running, reached: Reached): void {
    const words = WORDS[this.#language];
    const { fakes, trays, tables } = running.summary();
    const url = reached.urls[0] ?? '';
    this.#say(`Tiro ${running.version}`);
    this.#line(words.pages, url);
    this.#line(words.gm, `${url}/gm/${tables[0] ?? ''}`);
    this.#line(words.tables, tables.join(', '));
    this.#line(words.mqtt, this.#mqtt(reached.mqtt));
    this.#line(words.fakes, fakes.length === 0 ? words.noFakes : fakes.join(', '));
    this.#line(words.trays, trays.length === 0 ? words.noTrays : trays.join(', '));
    this.#line(words.chronicle, reached.data);
    this.#say(words.stop);
  }

  #mqtt({ url, mode, reason, taken }: MqttState): string {
    const words = WORDS[this.#language];
    if (mode === 'off') return words.noMqtt;
    if (url === null) return `${words.no} ${reason ?? ''}`;
    if (taken !== undefined) return `${url} (${words.taken.replace('{port}', String(taken))})`;
    return reason === undefined ? url : `${url} (${reason})`;
  }

  /** Told when it is known: looking for Bluetooth takes a moment, and nothing waits for it. */
  bluetooth(state: BluetoothState): void {
    const words = WORDS[this.#language];
    const { reason, remedy } = this.#language === 'it' ? state.inItalian : state;
    this.#line(words.bluetooth, state.state === 'available' ? words.works : `${words.no} ${reason}; ${remedy}`);
  }

  #line(label: string, text: string): void {
    this.#say(`  ${label.padEnd(11)} ${text}`);
  }
}
