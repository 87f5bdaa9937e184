import { u16 } from './hci.js';

/** What a characteristic allows: bits of its declaration (core, volume 3, part G, 3.3.1.1). */
export const PROPERTY = { read: 0x02, writeCommand: 0x04, write: 0x08, notify: 0x10, indicate: 0x20 } as const;

/** A characteristic as a peripheral declares it. UUIDs without dashes, 4 or 32 hex digits, as people write them. */
export interface Characteristic {
  readonly uuid: string;
  readonly properties: number;
  readonly value?: Uint8Array;
  /** A die that forgot the switch of its notifications (testing-bluetooth G29). */
  readonly noSwitch?: boolean;
}

export interface Service {
  readonly uuid: string;
  readonly characteristics: readonly Characteristic[];
}

/** One row of the table that a host reads and writes. */
export interface Attribute {
  readonly handle: number;
  /** UUID as it stands in packets, the last byte first. */
  readonly type: Buffer;
  readonly value: Buffer;
  /** Last handle of the service that begins here. */
  readonly end?: number;
  /** The characteristic whose value or switch this is. */
  readonly of?: { readonly uuid: string; readonly part: 'value' | 'switch'; readonly properties: number };
}

export const SERVICE = 0x2800;
export const CHARACTERISTIC = 0x2803;
export const SWITCH = 0x2902;

/** A UUID as it stands in packets. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid, 'hex').reverse();

const short = (type: number): Buffer => Buffer.from(u16(type));

function characteristicRows({ uuid, properties, value, noSwitch }: Characteristic, first: number): Attribute[] {
  const head = Buffer.concat([Buffer.from([properties, ...u16(first + 1)]), uuidBytes(uuid)]);
  const rows: Attribute[] = [
    { handle: first, type: short(CHARACTERISTIC), value: head },
    {
      handle: first + 1,
      type: uuidBytes(uuid),
      value: Buffer.from(value ?? []),
      of: { uuid, part: 'value', properties },
    },
  ];
  const switched = (properties & (PROPERTY.notify | PROPERTY.indicate)) !== 0 && noSwitch !== true;
  if (switched) {
    rows.push({
      handle: first + 2,
      type: short(SWITCH),
      value: Buffer.from([0, 0]),
      of: { uuid, part: 'switch', properties },
    });
  }
  return rows;
}

/** The whole table of a peripheral, handles from `first` without holes. */
export function attributesOf(services: readonly Service[], first: number): readonly Attribute[] {
  const rows: Attribute[] = [];
  for (const service of services) {
    const start = first + rows.length;
    const inside: Attribute[] = [];
    for (const characteristic of service.characteristics) {
      inside.push(...characteristicRows(characteristic, start + 1 + inside.length));
    }
    const end = start + inside.length;
    rows.push({ handle: start, type: short(SERVICE), value: uuidBytes(service.uuid), end }, ...inside);
  }
  return rows;
}
