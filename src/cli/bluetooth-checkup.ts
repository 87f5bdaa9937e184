import { accessSync, constants, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/schema.js';
import { type BluetoothState, probeBluetooth } from '../devices/ble/probe.js';
import type { Finding, Wording } from './finding.js';
import { adaptersOf } from './radio-settings.js';
import type { ToldAdapter } from './told-adapters.js';

/** Where Linux tells about processes and devices; a test gives folders of its own. */
export interface SystemFolders {
  readonly proc: string;
  readonly sys: string;
  readonly root: string;
}

const LINUX: SystemFolders = { proc: '/proc', sys: '/sys', root: '/' };

/** Bits of a process's capabilities (linux/capability.h). */
const CAP_NET_ADMIN = 12n;
const CAP_NET_RAW = 13n;
/** Column of `/proc/net/hci` with the number of the socket. */
const INODE_COLUMN = 5;
/** Marks that a container leaves in its own file system. */
const CONTAINER_MARKS = ['.dockerenv', 'run/.containerenv'];

const finding = (level: Finding['level'], told: Wording, remedy?: Wording): Finding => ({
  check: 'bluetooth',
  level,
  told,
  ...(remedy === undefined ? {} : { remedy }),
});

/**
 * Whether Bluetooth dice can be heard, and what stands in the way: library, adapter, switch, rights, other programs, a
 * container without the host's network. Each with its remedy.
 * @param open the table that is open on this computer has the adapter by right
 */
export async function checkBluetooth(
  ble: Config['ble'],
  open: boolean,
  folders: SystemFolders = LINUX,
  probe: () => Promise<BluetoothState> = () => probeBluetooth({ driver: ble.driver, sysfs: folders.sys }),
): Promise<readonly Finding[]> {
  if (ble.enabled === 'off') return [finding('ok', { it: 'Bluetooth spento', en: 'Bluetooth is off' })];
  const adapters = adaptersOf(ble);
  const onPorts = adapters.flatMap(({ uart }) => (uart === undefined ? [] : [checkUart(uart)]));
  if (onPorts.length === adapters.length) return onPorts;
  const found = await probe();
  const { reason, remedy, inItalian } = found;
  const told = { it: inItalian.reason, en: reason };
  const works = found.state === 'available';
  const library = works ? finding('ok', told) : finding('warn', told, { it: inItalian.remedy, en: remedy });
  if (process.platform !== 'linux') return [library, ...onPorts];
  const wanted = adapters.filter(
    ({ uart, adapter, address }) => uart === undefined && (adapter ?? address) !== undefined,
  );
  return [
    library,
    ...(works ? [] : checkContainer(folders)),
    ...checkAdapters(
      wanted.map(({ name }) => name),
      folders,
    ),
    ...checkSwitches(folders),
    ...checkRights(folders),
    ...(open ? [] : checkHolders(folders)),
    ...onPorts,
  ];
}

/** What the table that is open on this computer says of its adapters. */
export function checkToldAdapters(adapters: readonly ToldAdapter[]): readonly Finding[] {
  return adapters.map(({ name, links, linked, trouble }) => {
    if (trouble === undefined) {
      const it = `adattatore Bluetooth ${name}: ${linked} dadi collegati su ${links}`;
      return finding('ok', { it, en: `Bluetooth adapter ${name}: ${linked} of ${links} dice linked` });
    }
    const told = {
      it: `adattatore Bluetooth ${name}: ${trouble.it.reason}`,
      en: `Bluetooth adapter ${name}: ${trouble.en.reason}`,
    };
    return finding('warn', told, { it: trouble.it.remedy, en: trouble.en.remedy });
  });
}

function checkUart(path: string): Finding {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return finding('ok', { it: `adattatore Bluetooth su ${path}`, en: `Bluetooth adapter on ${path}` });
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return gone
      ? finding(
          'warn',
          { it: `la porta ${path} non c’è`, en: `port ${path} is not there` },
          { it: 'collega l’adattatore, o cambia ble.hci', en: 'plug the adapter in, or change ble.hci' },
        )
      : finding(
          'warn',
          { it: `manca il permesso di usare ${path}`, en: `no permission to use ${path}` },
          {
            it: 'sudo usermod -aG dialout "$USER", poi esci e rientra',
            en: 'sudo usermod -aG dialout "$USER", then log out and in again',
          },
        );
  }
}

/** Bluetooth of the kernel is not to be had in a network of one's own. */
function checkContainer({ root }: SystemFolders): readonly Finding[] {
  if (!CONTAINER_MARKS.some((mark) => existsSync(join(root, mark)))) return [];
  return [
    finding(
      'warn',
      {
        it: 'questo è un contenitore: con una rete sua non vede il Bluetooth',
        en: 'this is a container: with a network of its own it sees no Bluetooth',
      },
      {
        it: 'avvialo con --network host --cap-add NET_ADMIN --cap-add NET_RAW',
        en: 'run it with --network host --cap-add NET_ADMIN --cap-add NET_RAW',
      },
    ),
  ];
}

function checkAdapters(wanted: readonly string[], { sys }: SystemFolders): readonly Finding[] {
  const adapters = entries(join(sys, 'class/bluetooth'))
    .filter((name) => /^hci\d+$/.test(name))
    .map((name) => ({ name, address: text(join(sys, 'class/bluetooth', name, 'address')) }));
  const found = adapters.map(({ name, address }) => {
    const shown = address === '' ? name : `${name}, ${address}`;
    return finding('ok', { it: `adattatore Bluetooth ${shown}`, en: `Bluetooth adapter ${shown}` });
  });
  const isThere = (one: string): boolean =>
    adapters.some(({ name, address }) => name === one || address === '' || address.toLowerCase() === one.toLowerCase());
  const missing = wanted
    .filter((one) => !isThere(one))
    .map((one) => {
      const told = { it: `l’adattatore ${one} non c’è`, en: `the adapter ${one} is not there` };
      return finding('warn', told, { it: 'collegalo, o cambia ble.adapter', en: 'plug it in, or change ble.adapter' });
    });
  return [...found, ...missing];
}

/** Radios that are switched off, by a key or by software. */
function checkSwitches({ sys }: SystemFolders): readonly Finding[] {
  const base = join(sys, 'class/rfkill');
  return entries(base).flatMap((radio) => {
    const read = (name: string): string => text(join(base, radio, name));
    if (read('type') !== 'bluetooth') return [];
    const name = read('name') || radio;
    const told = { it: `${name}: radio spenta (rfkill)`, en: `${name}: radio switched off (rfkill)` };
    if (read('hard') === '1')
      return [
        finding('warn', told, { it: 'accendila con il tasto del computer', en: "switch it on by the computer's key" }),
      ];
    if (read('soft') !== '1') return [];
    const remedy = 'sudo rfkill unblock bluetooth';
    return [finding('warn', told, { it: remedy, en: remedy })];
  });
}

/** What the kernel lets this program do; the radio process inherits it. */
function checkRights({ proc }: SystemFolders): readonly Finding[] {
  const word = /^CapEff:\s*([0-9a-f]+)$/m.exec(text(join(proc, 'self/status')))?.[1];
  if (word === undefined) return [];
  const has = (bit: bigint): boolean => ((BigInt(`0x${word}`) >> bit) & 1n) === 1n;
  if (has(CAP_NET_RAW) && has(CAP_NET_ADMIN)) {
    return [finding('ok', { it: 'permessi per il Bluetooth', en: 'rights for Bluetooth' })];
  }
  const command = 'sudo setcap cap_net_raw,cap_net_admin+eip "$(readlink -f "$(which node)")"';
  const missing = [...(has(CAP_NET_RAW) ? [] : ['cap_net_raw']), ...(has(CAP_NET_ADMIN) ? [] : ['cap_net_admin'])];
  const told = {
    it: `a Node mancano dei permessi: ${missing.join(', ')}`,
    en: `Node lacks rights: ${missing.join(', ')}`,
  };
  return [finding('warn', told, { it: command, en: command })];
}

/** Other programs that speak with an adapter. The system's own service may stay: it is left as it is. */
function checkHolders(folders: SystemFolders): readonly Finding[] {
  return holders(folders).map(({ pid, name }) => {
    if (name === 'bluetoothd')
      return finding(
        'ok',
        {
          it: 'il servizio Bluetooth del sistema (bluetoothd) è attivo: resta com’è',
          en: "the system's Bluetooth service (bluetoothd) runs: it is left as it is",
        },
        {
          it: 'se i dadi non si collegano: sudo systemctl stop bluetooth',
          en: 'if dice do not connect: sudo systemctl stop bluetooth',
        },
      );
    return finding(
      'warn',
      {
        it: `un altro programma usa l’adattatore: ${name} (${pid})`,
        en: `another program uses the adapter: ${name} (${pid})`,
      },
      { it: `chiudilo: kill ${pid}`, en: `end it: kill ${pid}` },
    );
  });
}

function holders({ proc }: SystemFolders): readonly { readonly pid: string; readonly name: string }[] {
  const inodes = new Set(
    text(join(proc, 'net/hci'))
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)[INODE_COLUMN])
      .filter((inode) => inode !== undefined)
      .map((inode) => `socket:[${inode}]`),
  );
  return entries(proc)
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .map((pid) => ({ pid, name: text(join(proc, pid, 'comm')) }))
    .filter(({ pid, name }) => name === 'bluetoothd' || (inodes.size > 0 && opens(join(proc, pid, 'fd'), inodes)));
}

/** True if one of these files is a socket of the set; other people's processes show none. */
const opens = (folder: string, sockets: ReadonlySet<string>): boolean =>
  entries(folder).some((file) => {
    try {
      return sockets.has(readlinkSync(join(folder, file)));
    } catch {
      return false;
    }
  });

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
