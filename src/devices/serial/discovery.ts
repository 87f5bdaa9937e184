import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A serial port that may have a tray on it. */
export interface FoundPort {
  /** What to open: the by-id link where there is one, for it survives a new number. */
  readonly path: string;
  /** The node behind it: two names of one node are one port. */
  readonly node: string;
  readonly usb?: {
    readonly vendor: string;
    readonly product: string;
    readonly serial?: string;
    readonly name?: string;
  };
}

export interface Roots {
  readonly sys: string;
  readonly dev: string;
}

/** The system's own roots; tests hand in a made tree. */
export const SYSTEM_ROOTS: Roots = { sys: '/sys', dev: '/dev' };
/** From a tty up to its USB device there are at most so many steps. */
const MAX_CLIMB = 6;
/** Other systems' lists have this long to answer. */
export const LIST_TIMEOUT_MS = 5000;
/** More ports than this no machine at a table has. */
export const MAX_PORTS = 64;

/**
 * Ports with a USB device behind them. On Linux by walking sysfs, without udevadm, whose absence makes serialport's own
 * list reject and can even end the process (F019); elsewhere by that list, guarded. Never rejects.
 */
export async function findPorts(
  platform: NodeJS.Platform = process.platform,
  roots = SYSTEM_ROOTS,
): Promise<FoundPort[]> {
  if (platform === 'linux') return walk(roots).catch(() => []);
  if (platform === 'win32' || platform === 'darwin') return listed().catch(() => []);
  return [];
}

async function walk({ sys, dev }: Roots): Promise<FoundPort[]> {
  const folder = join(sys, 'class', 'tty');
  const names = await readdir(folder);
  const stable = await byId(dev);
  const found: FoundPort[] = [];
  for (const name of names.sort()) {
    if (found.length >= MAX_PORTS) break;
    const device = await realpath(join(folder, name, 'device')).catch(() => undefined);
    if (device === undefined) continue;
    const usb = await usbAbove(device);
    if (usb === undefined) continue;
    const node = join(dev, name);
    found.push({ path: stable.get(name) ?? node, node, usb });
  }
  return found;
}

async function usbAbove(device: string): Promise<FoundPort['usb']> {
  let folder = device;
  for (let step = 0; step < MAX_CLIMB; step++) {
    const vendor = await line(join(folder, 'idVendor'));
    if (vendor !== undefined) {
      const product = (await line(join(folder, 'idProduct'))) ?? '';
      const serial = await line(join(folder, 'serial'));
      const name = await line(join(folder, 'product'));
      return { vendor, product, ...(serial === undefined ? {} : { serial }), ...(name === undefined ? {} : { name }) };
    }
    folder = dirname(folder);
  }
  return undefined;
}

const line = async (file: string): Promise<string | undefined> =>
  (await readFile(file, 'utf8').catch(() => undefined))?.trim().slice(0, 128);

/** Node name → its link under /dev/serial/by-id; of two names the first. */
async function byId(dev: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(dev, 'serial', 'by-id');
  const links = new Map<string, string>();
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const path = join(folder, name);
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) continue;
    const there = await stat(path).then(
      () => true,
      () => false,
    );
    if (there && !links.has(basename(target))) links.set(basename(target), path);
  }
  return links;
}

async function listed(): Promise<FoundPort[]> {
  const { SerialPort } = await import('serialport');
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the list of ports does not come')), LIST_TIMEOUT_MS).unref();
  });
  const ports = await Promise.race([SerialPort.list(), late]);
  return ports.slice(0, MAX_PORTS).flatMap(({ path, vendorId, productId, serialNumber }) => {
    if (vendorId === undefined) return [];
    const serial = serialNumber === undefined ? {} : { serial: serialNumber };
    return [{ path, node: path, usb: { vendor: vendorId, product: productId ?? '', ...serial } }];
  });
}
