/** A Host header or the host of an Origin, taken apart. IPv6 addresses stand without brackets. */
export interface HostName {
  readonly name: string;
  readonly port: number | null;
}

/** Reads `name`, `name:port`, `[v6]` or `[v6]:port`; null if it is none of these. A final dot is dropped. */
export function parseHost(text: string): HostName | null {
  const found = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::(\d{1,5}))?$/i.exec(text);
  const name = (found?.[1] ?? found?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  if (found === null || name === '') return null;
  return { name, port: found[3] === undefined ? null : Number(found[3]) };
}

/** An address as the socket gives it, without the IPv4-in-IPv6 prefix and the zone. */
export function plainAddress(address: string | undefined): string {
  const text = (address ?? '').toLowerCase().replace(/%.*$/, '');
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice(7) : text;
}

const LOOPBACK_V4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** True for an address of this computer's loopback. */
export const isLoopbackAddress = (address: string): boolean => address === '::1' || LOOPBACK_V4.test(address);

/** True for a name that always means this computer. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);

/** Names as they are, or as they are now. */
export type ConfiguredNames = readonly string[] | (() => readonly string[]);

/**
 * The names under which this daemon may be reached (F053): loopback names, this computer's own addresses and name,
 * `.local`, and the configured ones. Any other name is somebody else's page that had its DNS point here.
 */
export class OwnNames {
  readonly #configured: () => readonly string[];
  #read: readonly string[] | null = null;
  #known: ReadonlySet<string> = new Set();
  readonly #hostname: string;
  readonly #addresses: () => readonly string[];

  /**
   * @param configured names, or whole origins such as `https://table.example`; as a function it is asked each time, since
   *   the configuration may change
   * @param addresses this computer's addresses now; asked each time, since Wi-Fi comes and goes
   */
  constructor(configured: ConfiguredNames, hostname: string, addresses: () => readonly string[]) {
    this.#configured = typeof configured === 'function' ? configured : () => configured;
    this.#hostname = hostname.toLowerCase();
    this.#addresses = addresses;
  }

  /** @param local address of our end of the connection: reached under it, it is our own */
  own(host: HostName, local: string): boolean {
    const { name } = host;
    return (
      isLoopbackName(name) ||
      name === local ||
      name === this.#hostname ||
      name.endsWith('.local') ||
      this.configured(host) ||
      this.#addresses().includes(name)
    );
  }

  /** True if the name, or the name with this port, is configured. */
  configured(host: HostName): boolean {
    const known = this.#names();
    return known.has(host.name) || (host.port !== null && known.has(`${host.name}:${host.port}`));
  }

  /** Taken apart anew only when the list is another. */
  #names(): ReadonlySet<string> {
    const names = this.#configured();
    if (names !== this.#read) {
      this.#read = names;
      this.#known = new Set(names.map((name) => name.toLowerCase().replace(/^https?:\/\//, '')));
    }
    return this.#known;
  }
}
