import type { NetworkInterfaceInfo } from 'node:os';
import { err, ok, type Result } from '../dice/result.js';
import type { INTERFACE_KINDS, LAN_CAUSES, LanState } from '../wire/lan.js';
import type { Fault } from './daemon.js';
import type { Listeners } from './listeners.js';
import { isLoopbackAddress, plainAddress } from './names.js';
import type { TokenStore } from './tokens.js';

export type InterfaceKind = (typeof INTERFACE_KINDS)[number];
export type Interfaces = () => NodeJS.Dict<NetworkInterfaceInfo[]>;

/** An address the phones might reach. */
export interface Reachable {
  readonly name: string;
  readonly address: string;
  readonly kind: InterfaceKind;
}

/** Label of the invitation's token. */
const LABEL = 'phones';

/** Devices counted; more are no news. */
const MAX_ARRIVED = 1000;

const VIRTUAL = /docker|^br-|^veth|vethernet|wsl|hyper-?v|vmnet|vmware|vbox|virtualbox|virbr|^lxc|podman|^cni|flannel/i;
const TUNNEL = /^tun|^tap|^wg|^utun|^ppp|^zt|tailscale|wireguard|vpn|zerotier|hamachi/i;

function kindOf(name: string, address: string): InterfaceKind {
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (a === 169 && b === 254) return 'link_local';
  if (VIRTUAL.test(name)) return 'virtual';
  // 100.64.0.0/10 is what carriers and overlay networks hand out (RFC 6598).
  if (TUNNEL.test(name) || (a === 100 && b >= 64 && b <= 127)) return 'vpn';
  const home = a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);
  return home ? 'physical' : 'public';
}

const RANK: Readonly<Record<InterfaceKind, number>> = { physical: 0, public: 1, vpn: 2, virtual: 3, link_local: 4 };

/** Rank among equals: a home router's net before the others, a cable or Wi-Fi card by its usual name first. */
function likelihood({ name, address }: Reachable): number {
  const homely = address.startsWith('192.168.') ? 0 : address.startsWith('10.') ? 1 : 2;
  return homely + (/^(en|eth|wl|wi-?fi|ethernet|wlan)/i.test(name) ? 0 : 4);
}

/** This computer's IPv4 addresses beside loopback, the one the phones most likely reach first. */
export function reachable(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): readonly Reachable[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter((entry) => entry.family === 'IPv4' && !entry.internal)
      .map(({ address }): Reachable => ({ name, address, kind: kindOf(name, address) })),
  );
  return found.sort((x, y) => RANK[x.kind] - RANK[y.kind] || likelihood(x) - likelihood(y));
}

interface Opening {
  readonly address: string;
  readonly table: string;
  readonly tokenId: string;
  readonly url: string;
}

/** "Open to the phones": one listener for the house, never without an invitation's token. */
export class LanDoor {
  readonly #listeners: Listeners;
  readonly #tokens: TokenStore;
  readonly #interfaces: Interfaces;
  readonly #port: () => number;
  readonly #arrived = new Set<string>();
  #opening: Opening | null = null;
  #busy = false;

  constructor(listeners: Listeners, tokens: TokenStore, interfaces: Interfaces, port: () => number) {
    this.#listeners = listeners;
    this.#tokens = tokens;
    this.#interfaces = interfaces;
    this.#port = port;
  }

  /** Address with the invitation, or null while closed. */
  url(): string | null {
    return this.#opening?.url ?? null;
  }

  state(): LanState {
    const list = reachable(this.#interfaces());
    const address = this.#opening?.address ?? list[0]?.address ?? null;
    return {
      open: this.#opening !== null,
      table: this.#opening?.table ?? null,
      address,
      port: this.#port(),
      url: this.url(),
      arrived: this.#arrived.size,
      interfaces: list.map((entry) => ({ ...entry, chosen: entry.address === address })),
      causes: this.#causes(list, address),
    };
  }

  /**
   * Opens a table to the phones, on the given address of the list or on the best. An earlier opening is closed first.
   * Makes a player's token for that table; its address is the QR code.
   */
  async open(table: string, wanted?: string): Promise<Result<LanState, Fault>> {
    const list = reachable(this.#interfaces());
    const chosen = wanted === undefined ? list[0] : list.find((entry) => entry.address === wanted);
    if (chosen === undefined)
      return err({
        status: 409,
        code: wanted === undefined ? 'no_network' : 'no_such_address',
        message: wanted === undefined ? 'this computer is on no network' : 'this computer has no such address',
        remedy: wanted === undefined ? 'switch on Wi-Fi or plug in the cable' : 'choose one of the listed addresses',
      });
    if (this.#busy) return err({ status: 409, code: 'busy', message: 'it is being opened or closed right now' });
    this.#busy = true;
    try {
      await this.#shut();
      return await this.#admit(table, chosen.address);
    } finally {
      this.#busy = false;
    }
  }

  async #admit(table: string, address: string): Promise<Result<LanState, Fault>> {
    const made = this.#tokens.create({ role: 'player', table, label: LABEL });
    if (!made.ok) return err({ status: 500, code: 'tokens', message: 'no token could be made; see the log' });
    const tokenId = made.value.stored.id;
    // Where the daemon already listens on every address, this one is open by itself.
    const everywhere = this.#listeners.addresses().some((known) => known === '0.0.0.0' || known === '::');
    const opened = everywhere ? ok(this.#port()) : await this.#listeners.open(address, this.#port());
    if (!opened.ok) {
      this.#tokens.revoke(tokenId);
      return err({ status: 409, code: 'listen', message: `cannot listen on ${opened.error.message}` });
    }
    const url = `http://${address}:${this.#port()}/board/${table}?token=${made.value.token}`;
    this.#opening = { address, table, tokenId, url };
    return ok(this.state());
  }

  /** Closes the door and revokes the invitation. */
  async close(): Promise<Result<LanState, Fault>> {
    if (this.#busy) return err({ status: 409, code: 'busy', message: 'it is being opened or closed right now' });
    this.#busy = true;
    try {
      await this.#shut();
      return ok(this.state());
    } finally {
      this.#busy = false;
    }
  }

  /** Notes a connection: another device has really arrived if its address is none of ours. */
  noteArrival(local: string, peer: string | undefined): void {
    const from = plainAddress(peer);
    if (this.#opening === null || from === '' || isLoopbackAddress(from) || this.#arrived.size >= MAX_ARRIVED) return;
    if (local !== this.#opening.address && local !== '0.0.0.0' && local !== '::') return;
    if (!this.#own().includes(from)) this.#arrived.add(from);
  }

  #own(): readonly string[] {
    return Object.values(this.#interfaces()).flatMap((list) =>
      (list ?? []).map((entry) => plainAddress(entry.address)),
    );
  }

  async #shut(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    this.#arrived.clear();
    if (opening === null) return;
    this.#tokens.revoke(opening.tokenId);
    await this.#listeners.close(opening.address);
  }

  #causes(list: readonly Reachable[], address: string | null): (typeof LAN_CAUSES)[number][] {
    if (list.length === 0) return ['noInterface'];
    if (this.#opening === null || this.#arrived.size > 0) return [];
    const kind = list.find((entry) => entry.address === address)?.kind;
    return kind === 'physical' ? ['network', 'firewall', 'isolation'] : ['vpn', 'network', 'firewall', 'isolation'];
  }
}
