import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pixels, pixelsAsked, unresolvedAt } from '../../src/devices/ble/pixels.js';
import { readAdvert } from '../../src/devices/ble/pixels-advert.js';
import {
  encodeBlink,
  encodeBlinkId,
  encodeRequestBatteryLevel,
  encodeRequestRollState,
  encodeRequestRssi,
  encodeRequestTelemetry,
  encodeRequestTemperature,
  encodeStopAllAnims,
  encodeWhoAreYou,
  PIXELS_ALLOWED_IDS,
  PIXELS_FIND_ME,
} from '../../src/devices/ble/pixels-commands.js';
import {
  PIXELS_KINDS,
  type PixelsKind,
  parsePixelsKind,
  placesOf,
  shownAt,
  sidesOfKind,
  typeOfKind,
} from '../../src/devices/ble/pixels-faces.js';
import { degreesTurned } from '../../src/devices/ble/pixels-normals.js';
import { batteryBand } from '../../src/devices/ble/pixels-power.js';
import {
  checkPixelsValues,
  PIXELS_DWELL_MS,
  PIXELS_SETTLE_MS,
  type PixelsOptions,
  type PixelsState,
} from '../../src/devices/ble/pixels-state.js';
import {
  bernsteinHash,
  encodeBulkData,
  encodeBulkSetup,
  encodeClearSettings,
  encodeNotifyUserAck,
  encodePlayAnim,
  encodePlayInstantAnim,
  encodePower,
  encodeSetName,
  encodeTransferInstantAnimSet,
  encodeUserMode,
} from '../../src/devices/ble/pixels-upkeep.js';
import type { DieInput, Signal } from '../../src/devices/device.js';
import { fromHex, MAX_NOTIFICATION_BYTES, toHex } from '../../src/devices/hex.js';

const bytesOf = (hex: string): Uint8Array => {
  const bytes = fromHex(hex);
  if (bytes === null) throw new Error(`the test's own hex is wrong: ${hex}`);
  return bytes;
};

/** Firmware of the vectors (§7, first lines). */
const F2023_11 = 1_700_205_060;
const F2024_01 = 1_704_150_000;
const F2024_03 = 1_711_398_360;
const F2024_11 = 1_730_984_700;

const V12 = '02140107efbeadde5d40ef033412fcba2c6701135700';
const V13 = '02150408efbeadde443322113412fcba2c6705026403';
const V14 = '02060201efbeadded4c3b2a13412f043936501052a00';
const V16 = [
  '020f0001d05e786700010001000100010a5d40ef030107140100200000000000000000000000000000000000000000000000',
  '000000000000000020506978656c30336566343035640000000000000000000000000000000000000d0b7a47579065000000',
  '7000000557000513',
].join('');
const V17 = `${V16.slice(0, 32)}09${V16.slice(34, 50)}${V16.slice(52)}`;
const V19 = '04efffeb03d8ffe503000040e201000513550001be00c50c980a5a0a000000';

/** A session: `up`, `down`, `tick`, `asked`, `adv HEX[ sr HEX]`, else hex; `@MS` sets the time, else 200 ms pass. */
class Session {
  state: PixelsState;
  at = -200;

  constructor(options: PixelsOptions) {
    this.state = pixels.start(options, 0, 60_000);
  }

  hear(line: string): readonly Signal[] {
    const [, ms, text = ''] = /^(?:@(\d+) )?(.*)$/.exec(line) ?? [];
    this.at = ms === undefined ? this.at + 200 : Number(ms);
    if (text === 'asked') {
      this.state = pixelsAsked(this.state, this.at);
      return [];
    }
    const heard = pixels.hear(this.state, this.input(text));
    this.state = heard.state;
    return heard.signals;
  }

  private input(text: string): DieInput {
    const { at } = this;
    if (text === 'up' || text === 'down' || text === 'tick') return { kind: text, at };
    if (!text.startsWith('adv ')) return { kind: 'notification', at, bytes: bytesOf(text) };
    const [advert = '', response] = text.slice(4).split(' sr ');
    const scanResponse = response === undefined ? {} : { scanResponse: bytesOf(response) };
    return { kind: 'advert', at, advert: bytesOf(advert), ...scanResponse };
  }
}

type Die = PixelsKind | PixelsOptions;
const optionsOf = (die: Die): PixelsOptions => (typeof die === 'string' ? { type: die, firmware: F2024_11 } : die);

const session = (die: Die, ...lines: readonly string[]): readonly Signal[] => {
  const one = new Session(optionsOf(die));
  return lines.flatMap((line) => one.hear(line));
};

const words = (signals: readonly Signal[]): readonly string[] =>
  signals.map((signal) => {
    if (signal.kind === 'rested') return `${signal.face} ${signal.how}`;
    if (signal.kind === 'garbled' || signal.kind === 'ignored') return `${signal.kind} ${signal.why}`;
    if (signal.kind === 'battery') return `${signal.percent}%${signal.charging === true ? '+' : ''}`;
    return signal.kind;
  });

/** A session in few words: `tumbling`, `17 thrown`, `ignored charging`, `87%`, `40%+` (charging). */
const told = (die: Die, ...lines: readonly string[]): readonly string[] => words(session(die, ...lines));

const rested = (face: number, how: string, type = 'd20', sides = 20) => ({ kind: 'rested', type, sides, face, how });
const old = (type: PixelsKind, firmware: number): PixelsOptions => ({ type, firmware });

describe('the vectors of protocols/pixels §7.1: die to host', () => {
  test('V1 030113: rolled 20 on new firmware, resting 20 on old', () => {
    expect(session('d20', '030307', '030308', '030113')[2]).toMatchObject(rested(20, 'thrown'));
    expect(session('d20', '030113')).toMatchObject([rested(20, 'unsure')]);
    expect(session(old('d20', F2024_03), '030113')).toMatchObject([rested(20, 'placed')]);
  });

  test('V2 V3 030207 is handling, 03030c rolling', () => {
    expect(session('d20', '030207', '03030c')).toEqual([{ kind: 'handling' }, { kind: 'tumbling' }]);
  });

  test('V4 030403 is crooked: leaning on 4', () => {
    expect(session('d20', '030403')).toMatchObject([rested(4, 'leaning')]);
    expect(session(old('d20', F2024_03), '030303', '030403')[1]).toMatchObject(rested(4, 'leaning'));
  });

  test('V5 030509: placed on 10; a d10 shows 9, a d00 90', () => {
    expect(session('d20', '030509')).toMatchObject([rested(10, 'placed')]);
    expect(session('d10', '030509')).toMatchObject([rested(9, 'placed', 'd10', 10)]);
    expect(session('d00', '030509')).toMatchObject([rested(90, 'placed', 'd00', 10)]);
  });

  test('V6 V7 states 0 and 6 say nothing', () => {
    expect(session('d20', '030000', '030600', '03ffff')).toEqual([
      { kind: 'ignored', why: 'state', hex: '030000' },
      { kind: 'ignored', why: 'state', hex: '030600' },
      { kind: 'ignored', why: 'state', hex: '03FFFF' },
    ]);
  });

  test('V8 a truncated RollState is garbled', () => {
    expect(session('d20', '0301')).toEqual([
      { kind: 'garbled', why: 'length', got: '2 bytes', expected: '3 bytes', hex: '0301' },
    ]);
  });

  test('V9 a surplus byte is tolerated', () => {
    expect(session('d20', '030308', '030307', '03011300')[2]).toMatchObject(rested(20, 'thrown'));
  });

  test.each([
    ['225500', { percent: 85, charging: false }],
    ['220901', { percent: 9, charging: false }],
    ['222802', { percent: 40, charging: true }],
    ['226403', { percent: 100, charging: true }],
    ['223204', { percent: 50, charging: false, trouble: 'bad_charging' }],
    ['223205', { percent: 50, charging: false, trouble: 'error' }],
  ])('V10 battery %s', (hex, battery) => {
    expect(session('d20', hex)).toEqual([{ kind: 'battery', ...battery }]);
  });

  test('V10 all six in one session', () => {
    const all = ['225500', '220901', '222802', '226403', '223204', '223205'];
    expect(told('d20', ...all)).toEqual(['85%', '9%', '40%+', '100%+', '50%', '50%']);
  });

  test('V11 RSSI', () => {
    expect(session('d20', '24c5', '24a6')).toEqual([
      { kind: 'rssi', dbm: -59 },
      { kind: 'rssi', dbm: -90 },
    ]);
  });

  test('V12 legacy IAmADie: identity, battery, then the state as a snapshot', () => {
    const [identity, battery, rest, ...more] = session({}, V12);
    expect(identity).toEqual({
      kind: 'identity',
      model: 'Pixels',
      id: '03ef405d',
      type: 'd20',
      firmware: '1730984700',
      colour: 'onyxBlack',
    });
    expect(battery).toEqual({ kind: 'battery', percent: 87, charging: false });
    expect(rest).toEqual({
      ...rested(20, 'resync'),
      evidence: { vendor: 'rolled', state: 1, index: 19, snapshot: 'identity' },
    });
    expect(more).toEqual([]);
  });

  test('V13 a pipped d6, done charging: its snapshot is told all the same', () => {
    expect(session({}, V13)).toMatchObject([
      { kind: 'identity', id: '11223344', type: 'd6', colour: 'auroraSky', firmware: '1730984700' },
      { kind: 'battery', percent: 100, charging: true },
      rested(3, 'resync', 'd6', 6),
    ]);
  });

  test('V14 a d4 of January 2024: index 5 is face 4', () => {
    expect(session({}, V14)).toMatchObject([
      { kind: 'identity', id: 'a1b2c3d4', type: 'd4', firmware: '1704150000', colour: 'hematiteGrey' },
      { kind: 'battery', percent: 42, charging: false },
      rested(4, 'resync', 'd4', 4),
    ]);
  });

  test('V15 V18 cut to 20 bytes for want of an MTU exchange: garbled, and the next whole one is taken', () => {
    const [v15, v18] = [V12.slice(0, 40), V16.slice(0, 40)];
    expect(session({}, v15)).toEqual([
      { kind: 'garbled', why: 'length', got: '20 bytes', expected: '22 bytes', hex: v15.toUpperCase() },
    ]);
    expect(session({}, v18)).toMatchObject([{ kind: 'garbled', why: 'length', got: '20 bytes' }]);
    expect(told({}, v18, V16)).toEqual(['garbled length', 'identity', '87%', '20 resync']);
  });

  test('V16 chunked IAmADie', () => {
    expect(bytesOf(V16)).toHaveLength(108);
    expect(session({}, V16)).toEqual([
      {
        kind: 'identity',
        model: 'Pixels',
        id: '03ef405d',
        type: 'd20',
        firmware: '1735941840',
        colour: 'onyxBlack',
        name: 'Pixel03ef405d',
      },
      { kind: 'battery', percent: 87, charging: false },
      { ...rested(20, 'resync'), evidence: { vendor: 'onFace', state: 5, index: 19, snapshot: 'identity' } },
    ]);
  });

  test('V17 an older, shorter chunk says the same; surplus in and behind chunks is ignored', () => {
    expect(bytesOf(V17)).toHaveLength(107);
    expect(session({}, V17)).toEqual(session({}, V16));
    const longer = `${V16.slice(0, 32)}0b${V16.slice(34, 52)}ff${V16.slice(52)}`;
    expect(session({}, longer)).toEqual(session({}, V16));
    expect(session({}, `${V16}03aabb`)).toEqual(session({}, V16));
    expect(session({}, `${V12}00`)).toEqual(session({}, V12));
  });

  test('V16 cut anywhere: whole chunks missing at the end are tolerated, a cut one is not, nothing is ever thrown', () => {
    for (let length = 2; length < 108; length += 1) {
      const heard = told({}, V16.slice(0, 2 * length));
      const whole = [26, 58, 90, 103].includes(length);
      expect(heard, String(length)).toEqual(whole ? ['identity'] : ['garbled length']);
    }
  });

  test('V12 cut anywhere is garbled', () => {
    for (let length = 1; length < 22; length += 1) {
      expect(told({}, V12.slice(0, 2 * length)), String(length)).toEqual(['garbled length']);
    }
  });

  test('V19 V20 V21 telemetry and temperature say nothing about the table', () => {
    expect(session('d20', V19)).toEqual([{ kind: 'ignored', why: 'telemetry', hex: V19.toUpperCase() }]);
    expect(told('d20', `${V19}0000`, '3dc409a00a')).toEqual(['ignored telemetry', 'ignored telemetry']);
    expect(told('d20', V19.slice(0, 60), '3dc409a0')).toEqual(['garbled length', 'garbled length']);
  });

  test('V22 answers to commands', () => {
    const to = session('d20', '1e', '42', '06', '34', '39', '47').map((signal) => signal.kind === 'reply' && signal.to);
    expect(to).toEqual(['Blink', 'BlinkId', 'BulkSetup', 'SetName', 'TransferInstantAnimSet', 'ClearSettings']);
  });

  test('V23 answers to a transfer; a remote action is nothing to us', () => {
    expect(told('d20', '086400', '3800', '3801', '3802', '3803', '38', '160302')).toEqual([
      ...Array.from({ length: 4 }, () => 'reply'),
      'garbled value_range',
      'garbled length',
      'ignored log',
    ]);
  });

  test('V24 V25 what the die says in words', () => {
    expect(session('d20', '1268656c6c6f00')).toMatchObject([{ kind: 'ignored', why: 'log', text: 'hello' }]);
    const notify = `271e0100506c61636520666163652031207570${'00'.repeat(81)}`;
    expect(bytesOf(notify)).toHaveLength(100);
    expect(session('d20', notify)).toMatchObject([{ kind: 'ignored', why: 'log', text: 'Place face 1 up' }]);
    expect(told('d20', notify.slice(0, 198))).toEqual(['garbled length']);
  });

  test('V26 unknown ids are ignored', () => {
    expect(session('d20', 'c8', 'c80102')).toEqual([
      { kind: 'ignored', why: 'unknown', hex: 'C8' },
      { kind: 'ignored', why: 'unknown', hex: 'C80102' },
    ]);
    expect(told('d20', '49')).toEqual(['reply']);
    expect(told(old('d20', F2024_03), '49')).toEqual(['ignored unknown']);
  });
});

describe('the vectors of §7.2: host to die', () => {
  const red = bytesOf('ff000000000000000100e803ffffffff00000200');
  const rows: readonly (readonly [string, Uint8Array, string])[] = [
    ['O1 WhoAreYou', encodeWhoAreYou(), '01'],
    ['O2 RequestRollState', encodeRequestRollState(), '17'],
    ['O3 RequestBatteryLevel', encodeRequestBatteryLevel(), '21'],
    ['O4 RequestRssi once', encodeRequestRssi('once'), '23010000'],
    ['O4 RequestRssi every 5 s', encodeRequestRssi({ everyMs: 5_000 }), '23028813'],
    ['O4 RequestRssi off', encodeRequestRssi('off'), '23000000'],
    ['O5 Blink red', encodeBlink({ count: 1, durationMs: 1_000, rgb: [178, 0, 0] }), '1d01e8030000b200ffffffff0001'],
    [
      'O6 Blink on two faces, fading, twice',
      encodeBlink({ count: 3, durationMs: 1_500, rgb: [0x12, 0x34, 0x56], faces: [0, 19], fade: 0.5, loops: 2 }),
      '1d03dc0556341200010008007f02',
    ],
    [
      'O7 Blink face 20 only',
      encodeBlink({ count: 1, durationMs: 1_000, rgb: [0, 178, 0], faces: [19] }),
      '1d01e80300b20000000008000001',
    ],
    ['O8 StopAllAnims', encodeStopAllAnims(), '3b'],
    ['O9 power off', encodePower('off'), '3500'],
    ['O9 reset', encodePower('reset'), '3501'],
    ['O9 sleep', encodePower('sleep'), '3502'],
    ['O10 SetName', encodeSetName('HP d20'), `33485020643230${'00'.repeat(26)}`],
    ['O11 PlayInstantAnim', encodePlayInstantAnim(0), '3a000001'],
    ['O12 PlayAnim', encodePlayAnim(2, 19), '13021301'],
    ['O13 BlinkId', encodeBlinkId(64), '414001'],
    ['O14 RequestTelemetry', encodeRequestTelemetry({ everyMs: 100 }), '1a026400'],
    ['O15 RequestTemperature', encodeRequestTemperature(), '3c'],
    ['O16 NotifyUserAck', encodeNotifyUserAck(true), '2801'],
    ['O17 ClearSettings', encodeClearSettings(), '46'],
    ['O18 SetUserMode remote', encodeUserMode('remote'), '4802'],
    ['O19 BulkSetup', encodeBulkSetup(24), '051800'],
    [
      'O20 TransferInstantAnimSet',
      encodeTransferInstantAnimSet({ palette: 3, animations: 1, animationBytes: 12, payload: red }),
      '370300000000000000000001000c00d21981b7',
    ],
    ['O20 BulkSetup', encodeBulkSetup(red.length), '051400'],
    ['O20 BulkData', encodeBulkData(red, 0), `07140000${toHex(red)}${'00'.repeat(80)}`],
  ];
  test.each(rows)('%s', (_name, bytes, hex) => expect(toHex(bytes)).toBe(toHex(bytesOf(hex))));
});

describe('commands', () => {
  test('only commands that harm nothing may be sent by themselves', () => {
    expect([...PIXELS_ALLOWED_IDS].sort((a, b) => a - b)).toEqual([1, 23, 26, 29, 33, 35, 59, 60, 65]);
    for (const bytes of [encodeSetName('x'), encodeClearSettings(), encodePower('off'), encodeUserMode('remote')]) {
      expect(PIXELS_ALLOWED_IDS.has(bytes[0] ?? 0)).toBe(false);
    }
  });

  test('an old die is never told to blink for ever', () => {
    expect(toHex(encodeBlink(PIXELS_FIND_ME, F2024_01)).slice(-2)).toBe('00');
    expect(toHex(encodeBlink(PIXELS_FIND_ME, F2024_03)).slice(-2)).toBe('01');
    expect(toHex(encodeBlinkId(64, 1, F2024_01))).toBe('414000');
  });

  test('what does not fit is a fault of the program', () => {
    expect(() => encodeBlink({ ...PIXELS_FIND_ME, durationMs: 65_536 })).toThrow(RangeError);
    expect(() => encodeBlink({ ...PIXELS_FIND_ME, fade: 2 })).toThrow(RangeError);
    expect(() => encodeBlink({ ...PIXELS_FIND_ME, faces: [32] })).toThrow(RangeError);
    expect(() => encodeSetName('é'.repeat(16))).toThrow(RangeError);
    expect(() => encodeBulkData(new Uint8Array(10), 11)).toThrow(RangeError);
    expect(bernsteinHash(new Uint8Array())).toBe(5381);
    expect(toHex(encodeBulkData(new Uint8Array(130).fill(7), 100)).slice(0, 14)).toBe('071E6400070707');
  });
});

describe('the sequences of §7.3', () => {
  const handshaken = (...lines: readonly string[]) => told({}, V12, ...lines).slice(3);

  test('E1 a real roll', () => {
    expect(handshaken('03020c', '03030c', '030305', '030307', '030107')).toEqual([
      'handling',
      'tumbling',
      'tumbling',
      'tumbling',
      '8 thrown',
    ]);
    const signals = session({}, V12, '03020c', '03030c', '030305', '030307', '030107');
    expect(signals.at(-1)).toEqual({
      ...rested(8, 'thrown'),
      evidence: { vendor: 'rolled', state: 1, index: 7, faces: 3, rollingMs: 400, turned: degreesTurned('d20', 19, 7) },
    });
  });

  test('E2 turned by hand: placed, no roll', () => {
    expect(handshaken('030207', '030212', '030512')).toEqual(['handling', 'handling', '19 placed']);
  });

  test('E3 rolled twice is one, however late', () => {
    expect(handshaken('030107', '030107')).toEqual(['8 unsure', 'ignored repeat']);
    expect(handshaken('03030c', '030305', '030307', '030107', '@3600000 030107')).toEqual([
      'tumbling',
      'tumbling',
      'tumbling',
      '8 thrown',
      'ignored repeat',
    ]);
  });

  test('E4 old firmware: merely moved is placed', () => {
    expect(told(old('d20', F2024_03), '030213', '030207', '030107')).toEqual(['handling', 'handling', '8 placed']);
  });

  test('E5 old firmware: faces passed are each placed', () => {
    expect(told(old('d20', F2024_03), '030108', '030109', '03010a')).toEqual(['9 placed', '10 placed', '11 placed']);
  });

  test('E6 D6 of 2023: faces by its old normals; crooked is leaning', () => {
    const faces = [0, 1, 2, 3, 4, 5].map((index) => `03010${index}`);
    expect(told(old('d6', F2023_11), ...faces)).toEqual([1, 5, 4, 3, 2, 6].map((face) => `${face} placed`));
    expect(told(old('d6', F2023_11), '030402')).toEqual(['4 leaning']);
  });

  test('E7 D6 of November 2024 crooked on 3', () => {
    expect(told('d6', '030402')).toEqual(['3 leaning']);
  });

  test('E8 D4 of January 2024: sides lean', () => {
    const faces = [0, 1, 2, 3, 4, 5].map((index) => `03010${index}`);
    const expected = ['1 placed', '1 leaning', '3 placed', '2 placed', '1 leaning', '4 placed'];
    expect(told(old('d4', F2024_01), ...faces)).toEqual(expected);
    expect(session(old('d4', F2024_01), '030104')).toMatchObject([{ evidence: { side: true } }]);
  });

  test('E9 a type that is not told is estimated by the lights', () => {
    const typed = (leds: string, type: string) => `02${leds}01${type}${V12.slice(8)}`.replace('0113570', '0103570');
    const typeOf = (options: PixelsOptions, hex: string) => {
      const [identity] = session(options, hex);
      return identity?.kind === 'identity' ? identity.type : 'none';
    };
    expect(typeOf({}, typed('14', '00'))).toBe('d20');
    expect(typeOf({}, typed('06', '00'))).toBe('d6');
    expect(typeOf({}, typed('0c', '0a'))).toBe('d12');
    // The owner's word decides between those the lights allow, the die's own word before it, an override above all.
    expect(typeOf({ type: 'd4' }, typed('06', '00'))).toBe('d4');
    expect(typeOf({ type: 'd20' }, typed('06', '00'))).toBe('d6');
    expect(typeOf({ type: 'd00' }, typed('0a', '00'))).toBe('d00');
    expect(typeOf({ type: 'fudge' }, typed('06', '02'))).toBe('d6');
    expect(typeOf({ override: 'fudge' }, typed('06', '02'))).toBe('fudge');
    expect(typeOf({}, typed('0e', '00'))).toBeUndefined();
  });

  test('E10 a chunked d00 on the charger: 90 as a snapshot', () => {
    const v = bytesOf(V16);
    v.set([5, 19], 22);
    v.set([2, 5, 9], 105);
    expect(session({}, Buffer.from(v).toString('hex'))).toMatchObject([
      { kind: 'identity', type: 'd00' },
      { kind: 'battery', percent: 87, charging: true },
      rested(90, 'resync', 'd00', 10),
    ]);
  });

  test('E11 a battery that says the same is not told again', () => {
    expect(handshaken('225700', '225600', '225602', '225603', '225600')).toEqual(['86%', '86%+', '86%']);
  });

  test('E12 a die without a number is none; another than the advert promised is foreign', () => {
    const nobody = V12.replace('5d40ef03', '00000000');
    expect(told({}, nobody)).toEqual(['garbled value_range']);
    expect(told({}, V16.replace('5d40ef03', '00000000'))).toEqual(['garbled value_range']);
    expect(told({ id: '11223344' }, V12, V13)[0]).toBe('ignored foreign');
    expect(told({ id: '11223344' }, V13)).toEqual(['identity', '100%+', '3 resync']);
    expect(told({}, `adv ${A1} sr ${SR('5d40ef03', 'fcba2c67')}`, V13).at(-1)).toBe('ignored foreign');
  });
});

const SERVICE = '11079ecadc240ee5a9e093f3a3b50100406e';
const SR = (id: string, firmware: string): string => `${SERVICE}0b160a18${id}${firmware}`;
const A1 = '02010603030a1808ffffff14710113570e09506978656c3033656634303564';
const PENDING = '02010603030a180e09506978656c3031303230333034';

describe('the adverts of §7.4', () => {
  const heard = (advert: string, response: string, options: PixelsOptions = {}) =>
    session(options, `adv ${advert} sr ${response}`);

  test('A1 d20, rolled 20: a snapshot, never a roll', () => {
    expect(heard(A1, SR('5d40ef03', 'fcba2c67'))).toEqual([
      {
        kind: 'identity',
        model: 'Pixels',
        id: '03ef405d',
        type: 'd20',
        firmware: '1730984700',
        colour: 'onyxBlack',
        name: 'Pixel03ef405d',
      },
      { kind: 'battery', percent: 87, charging: false },
      { ...rested(20, 'resync'), evidence: { vendor: 'rolled', state: 1, index: 19, snapshot: 'advert' } },
    ]);
  });

  test('A2 the new dialect, charging', () => {
    const response = '11075b9bdc8e0c3562a9f2435a7a0100b9a60b160a185d40ef03d05e7867';
    expect(heard('02010603030a1808ff390d14710506a803094850', response)).toMatchObject([
      { kind: 'identity', id: '03ef405d', firmware: '1735941840', name: 'HP', type: 'd20' },
      { kind: 'battery', percent: 40, charging: true },
      rested(7, 'resync'),
    ]);
  });

  test('A3 a pipped d6 in a hand', () => {
    const signals = heard('02010603030a1808ffffff15840203400709504120646965', SR('44332211', 'fcba2c67'));
    expect(signals).toMatchObject([
      { kind: 'identity', id: '11223344', type: 'd6', colour: 'auroraSky', name: 'PA die' },
      { kind: 'battery', percent: 64, charging: false },
      { kind: 'handling' },
    ]);
  });

  test('A4 a d00 rolling', () => {
    expect(heard('02010603030a1808ffffff0a53030964050954656e73', SR('88776655', 'fcba2c67'))).toMatchObject([
      { kind: 'identity', id: '55667788', type: 'd00', colour: 'midnightGalaxy', name: 'Tens' },
      { kind: 'battery', percent: 100 },
      { kind: 'tumbling' },
    ]);
  });

  test('A5 a d4 of January 2024: index 5 is 4', () => {
    const advert = '02010603030a1808ffffff061201052a0e09506978656c6131623263336434';
    expect(heard(advert, SR('d4c3b2a1', 'f0439365'))).toMatchObject([
      { kind: 'identity', id: 'a1b2c3d4', type: 'd4', firmware: '1704150000', colour: 'hematiteGrey' },
      { kind: 'battery', percent: 42 },
      rested(4, 'resync', 'd4', 4),
    ]);
  });

  test('A6 a custom colour hides the type: the lights tell it', () => {
    expect(heard('02010603030a1808ffffff14ff0104320709437573746f6d', SR('04030201', 'fcba2c67'))).toMatchObject([
      { kind: 'identity', id: '01020304', type: 'd20', colour: 'custom', name: 'Custom' },
      { kind: 'battery', percent: 50 },
      rested(5, 'resync'),
    ]);
  });

  test('A7 before September 2023 the design says no type', () => {
    const advert = '02010603030a1808ffffff14090104320e09506978656c3031303230333034';
    expect(heard(advert, SR('04030201', 'b4af9164'))).toMatchObject([
      { kind: 'identity', type: 'd20', firmware: '1687269300' },
      { kind: 'battery', percent: 50 },
      rested(5, 'resync'),
    ]);
  });

  test('A8 a name cut short', () => {
    const advert = '02010603030a1808ffffff14710104320e084d792076657279206c6f6e6720';
    expect(heard(advert, SR('04030201', 'fcba2c67'))[0]).toMatchObject({ name: 'My very long ' });
  });

  test('A9 A10 no payload yet: nothing is told, nothing is wrong, and who it is is known', () => {
    const empty = '02010603030a1803ffffff0e09506978656c3031303230333034';
    for (const advert of [empty, PENDING]) {
      expect(heard(advert, SR('04030201', 'fcba2c67'))).toEqual([]);
      const later = '02010603030a1808ffffff1471010432';
      expect(told({}, `adv ${advert} sr ${SR('04030201', 'fcba2c67')}`, `adv ${later}`)).toEqual([
        'identity',
        '50%',
        '5 resync',
      ]);
    }
  });

  test('A11 the layout before July 2022', () => {
    expect(heard('02010603030a180aff0914040302010104800c09506978656c303130323033', SERVICE)).toMatchObject([
      { kind: 'identity', id: '01020304', type: 'd20', colour: 'onyxBlack', name: 'Pixel010203' },
      { kind: 'battery', percent: 50, charging: false },
      rested(5, 'resync'),
    ]);
  });

  test('A12 a d10 shows its 0', () => {
    expect(heard('02010603030a1808ffffff0a4501004d0409643130', SR('0d0c0b0a', 'fcba2c67'))).toMatchObject([
      { kind: 'identity', type: 'd10', colour: 'clear', name: 'd10' },
      { kind: 'battery', percent: 77 },
      rested(0, 'resync', 'd10', 10),
    ]);
  });

  test('A13 a fudge die: index 2 is blank', () => {
    expect(heard('02010603030a1808ffffff069104024d020946', SR('0e0c0b0a', 'fcba2c67'))).toMatchObject([
      { kind: 'identity', type: 'fudge', name: 'F' },
      { kind: 'battery', percent: 77 },
      { ...rested(0, 'resync', 'fudge', 6), evidence: { vendor: 'crooked' } },
    ]);
  });

  test('A14 an advert alone waits for its scan response; after one, adverts alone are enough', () => {
    const whole = `adv ${A1} sr ${SR('5d40ef03', 'fcba2c67')}`;
    expect(told({}, `adv ${A1}`)).toEqual([]);
    expect(told({}, `adv ${A1}`, whole)).toEqual(['identity', '87%', '20 resync']);
    const next = A1.replace('1471011357', '1471050356');
    expect(told({}, whole, `adv ${next}`)).toEqual(['identity', '87%', '20 resync', '86%', '4 resync']);
  });

  test('an advert that comes again five times a second is told once; no advert is ever a throw', () => {
    const whole = `adv ${A1} sr ${SR('5d40ef03', 'fcba2c67')}`;
    expect(told({}, whole, `adv ${A1}`, whole).slice(3)).toEqual(['ignored repeat', 'ignored repeat']);
    const rolling = A1.replace('1471011357', '1471030557');
    const landed = A1.replace('1471011357', '1471010757');
    expect(told({}, whole, `adv ${rolling}`, `adv ${landed}`).slice(3)).toEqual(['tumbling', '8 resync']);
  });

  test('other devices are foreign, cut packets garbled', () => {
    const foreign = ['0201061aff4c000215', '020106', '02010603030a18', '02010603030a1808ff4c001471011357'];
    for (const advert of foreign.slice(1)) expect(told({}, `adv ${advert}`)).toEqual(['ignored foreign']);
    expect(told({}, `adv ${foreign[0]}`)).toEqual(['garbled length']);
    // The bootloader of a die, and its charger.
    expect(told({}, 'adv 02010603025 9fe0c09 50584c3033454634303544'.replace(/(?<!adv) /g, ''))).toEqual([
      'ignored foreign',
    ]);
    expect(told({}, 'adv 1107051f9d3549 cb7abd118e4e5d0100b9a8'.replace(/(?<!adv) /g, ''))).toEqual([
      'ignored foreign',
    ]);
    const badSize = A1.replace('08ffffff1471011357', '07ffffff14710113');
    expect(told({}, `adv ${badSize} sr ${SR('5d40ef03', 'fcba2c67')}`)).toEqual(['garbled length']);
    expect(told({}, `adv ${A1} sr ${SR('00000000', 'fcba2c67')}`)).toEqual(['garbled value_range']);
    const strange = A1.replace('1471011357', '147101147f');
    const response = SR('5d40ef03', 'fcba2c67');
    expect(told({}, `adv ${strange} sr ${response}`)).toEqual([
      'identity',
      'garbled value_range',
      'garbled face_range',
    ]);
    expect(told({ id: '01020304' }, `adv ${A1} sr ${response}`)).toEqual(['ignored foreign']);
  });
});

describe('firmware eras', () => {
  const rolls = ['030303', '030304', '030305', '030105'];
  const face = (kind: PixelsKind, firmware: number) =>
    Array.from({ length: placesOf(kind, firmware) }, (_, index) => shownAt(kind, firmware, index)?.face);

  test('1 after rolling is a throw on every firmware; 5 without is placed', () => {
    for (const firmware of [F2023_11, F2024_03, 1_729_529_357, 1_730_464_976, F2024_11]) {
      expect(told(old('d20', firmware), ...rolls).at(-1), String(firmware)).toBe('6 thrown');
      const alone = firmware >= 1_730_464_976 ? '6 unsure' : '6 placed';
      expect(told(old('d20', firmware), '030105'), String(firmware)).toEqual([alone]);
    }
    expect(told('d20', '030505')).toEqual(['6 placed']);
    expect(told(old('d20', F2024_03), '030505')).toEqual(['6 placed']);
  });

  test('the beta of October 2024 has numbers of its own', () => {
    const beta = old('d20', 1_729_529_358);
    expect(told(beta, '030303', '030304', '030305', '030405').at(-1)).toBe('6 thrown');
    expect(told(beta, '030303', '030304', '030305', '030105').at(-1)).toBe('6 placed');
    expect(told(beta, '030505')).toEqual(['6 leaning']);
  });

  test('D6 and D4 face tables change with the firmware, to the second', () => {
    expect(face('d6', 1_707_254_392)).toEqual([1, 5, 4, 3, 2, 6]);
    expect(face('d6', 1_707_254_393)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(face('d4', 1_707_254_392)).toEqual([1, 1, 3, 2, 1, 4]);
    expect(face('d4', 1_707_254_393)).toEqual([1, 1, 2, 3, 1, 4]);
    expect(face('d4', 1_727_452_559)).toEqual([1, 1, 2, 3, 1, 4]);
    expect(face('d4', 1_727_452_560)).toEqual([1, 3, 2, 4]);
    expect(face('d4', 1_728_663_480)).toEqual([1, 2, 3, 4]);
    expect(face('d6pipped', F2023_11)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(face('fudge', F2024_11)).toEqual([1, -1, 0, 0, -1, 1]);
    expect(face('d00', F2024_11)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  test('an index outside the table is garbled in every state', () => {
    for (const kind of PIXELS_KINDS) {
      const last = placesOf(kind, F2024_11);
      for (const state of [1, 2, 3, 4, 5]) {
        const hex = `030${state}${last.toString(16).padStart(2, '0')}`;
        expect(session(kind, hex), hex).toEqual([
          { kind: 'garbled', why: 'face_range', got: String(last), expected: `0…${last - 1}`, hex: hex.toUpperCase() },
        ]);
      }
      expect(told(kind, '0301ff')).toEqual(['garbled face_range']);
      expect(sidesOfKind(kind)).toBe(last);
    }
  });

  test("a die's own faces replace the published ones, and only there", () => {
    const options: PixelsOptions = { type: 'd6', firmware: F2024_11, values: [[1, 5]] };
    expect(told(options, '030501', '030504')).toEqual(['5 placed', '5 placed']);
    expect(checkPixelsValues(options).ok).toBe(true);
    expect(checkPixelsValues({ type: 'd6', values: [[6, 1]] })).toEqual({
      ok: false,
      error: 'index 6: expected 0 to 5',
    });
    expect(checkPixelsValues({ type: 'd6', values: [[0, 7]] })).toEqual({
      ok: false,
      error: 'index 0: a d6 has no face 7',
    });
    expect(checkPixelsValues({ values: [[0, 7]] }).ok).toBe(false);
    expect(told({ ...options, values: [[1, 7]] }, '030501')).toEqual(['garbled face_range']);
  });

  test('battery and RSSI of 2022', () => {
    const early: PixelsOptions = { type: 'd20', firmware: 1_660_000_000 };
    expect(told(early, '220000403f0000804001', '220000403f0000804000')).toEqual(['75%+', '75%']);
    expect(told(early, '225500', '22ffffffff0000804000')).toEqual(['garbled value_range', 'garbled value_range']);
    const scale = '02010603030a1808ffffff1409010480';
    expect(told({}, `adv ${scale} sr ${SR('04030201', '0018f062')}`)).toEqual(['identity', '50%', '5 resync']);
  });

  test('words of owners', () => {
    expect(['D20', ' pipped ', 'd6fudge', 'd00'].map(parsePixelsKind)).toEqual(['d20', 'd6pipped', 'fudge', 'd00']);
    expect(['d7', 'd2', '__proto__', 'constructor', ''].map(parsePixelsKind)).toEqual([null, null, null, null, null]);
    expect(PIXELS_KINDS.map(typeOfKind)).toEqual(['d4', 'd6', 'd8', 'd10', 'd00', 'd12', 'd20', 'd6', 'fudge']);
  });

  test('a die of which nothing is known shows its raw index, and is never thrown', () => {
    expect(session({}, '030303', '030304', '030305', '030105').at(-1)).toMatchObject({
      face: 5,
      sides: 0,
      how: 'unsure',
    });
    expect(told({ guess: 'd20' }, '030505')).toEqual(['6 placed']);
  });
});

describe('how a die came to rest: the first word that fits', () => {
  test('resync within 2 s after up, whatever the state, and not longer', () => {
    for (const state of ['01', '04', '05']) {
      expect(told('d20', '@1000 up', '@1100 030303', `@3000 03${state}07`).at(-1)).toBe('8 resync');
    }
    expect(told('d20', '@1000 up', '@3001 030507')).toEqual(['8 placed']);
    expect(told('d20', '030507')).toEqual(['8 placed']);
  });

  test('the answer to RequestRollState is a snapshot, told even if it repeats; only the first state is', () => {
    expect(told('d20', '030507', 'asked', '030507', '030507')).toEqual(['8 placed', '8 resync', 'ignored repeat']);
    expect(told('d20', 'asked', '@5200 030107')).toEqual(['8 unsure']);
    expect(told('d20', 'asked', 'down', 'up', '@9000 030507')).toEqual(['8 placed']);
    expect(told('d20', '17', '030107')).toEqual(['ignored host', '8 resync']);
  });

  test('an answer never takes a throw that is under way', () => {
    expect(told('d20', '030303', '030304', 'asked', '030305', '030105', '030505').slice(-2)).toEqual([
      '6 thrown',
      '6 resync',
    ]);
  });

  test('a bumped table: fewer than 3 faces and the old one again', () => {
    expect(told('d20', '030507', '030307', '030107')).toEqual(['8 placed', 'tumbling', '8 unsure']);
    expect(told('d20', '030507', '030308', '030307', '030107').at(-1)).toBe('8 unsure');
    expect(told('d20', '030507', '030308', '030309', '030307', '030107').at(-1)).toBe('8 thrown');
    expect(told('d20', '030507', '030308', '030108').at(-1)).toBe('9 thrown');
  });

  test('a bump whose blow was told as a face for one look is no throw to the face below it', () => {
    expect(told('d20', '030513', '@60000 030502', '@60160 030313', '@60640 030113')).toEqual([
      '20 placed',
      '3 placed',
      'tumbling',
      '20 unsure',
    ]);
    expect(told('d20', '030513', '@60000 030502', '@60200 030313', '@60680 030113').at(-1)).toBe('20 thrown');
  });

  test('a bump before any rest was told: the first face told is the old one', () => {
    expect(told('d20', '030307', '030107')).toEqual(['tumbling', '8 unsure']);
    expect(told('d20', '030208', '030307', '030107').at(-1)).toBe('8 thrown');
  });

  test('rolled without rolling is unsure; handling in between opens no throw', () => {
    expect(told('d20', '030507', '030208', '030109')).toEqual(['8 placed', 'handling', '10 unsure']);
    expect(told('d20', '030303', '030304', '030305', '030105', '030205', '030105').slice(3)).toEqual([
      '6 thrown',
      'handling',
      '6 unsure',
    ]);
  });

  test('F094 two throws of the same face are two, 0.2 s apart', () => {
    const roll = ['030303', '030304', '030305', '030105'];
    expect(told('d20', ...roll, ...roll).filter((word) => word === '6 thrown')).toHaveLength(2);
  });

  test('handling in mid-roll does not end it', () => {
    expect(told('d20', '030303', '030304', '030205', '030305', '030105').at(-1)).toBe('6 thrown');
  });
});

describe('how far a D20 was turned', () => {
  test('20 has the neighbours 2, 8 and 14, about 42 degrees away, and 1 opposite', () => {
    const from20 = Array.from({ length: 20 }, (_, index) => degreesTurned('d20', 19, index) ?? Number.NaN);
    expect([...from20.keys()].filter((index) => Math.abs((from20[index] ?? 0) - 41.8) < 2)).toEqual([1, 7, 13]);
    expect(from20[0]).toBeGreaterThan(179);
    expect(from20[19]).toBe(0);
    for (let index = 0; index < 20; index += 1) expect(degreesTurned('d20', index, 19 - index)).toBeGreaterThan(178);
  });

  test('the first rest knows no turn, a d6 and an index outside neither', () => {
    expect(session('d20', '030513')[0]).not.toHaveProperty('evidence.turned');
    expect(session('d20', '030513', '030507')[1]).toHaveProperty('evidence.turned', degreesTurned('d20', 19, 7));
    expect([degreesTurned('d6', 0, 1), degreesTurned(undefined, 0, 1), degreesTurned('d20', 0, 20)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('repeats, links and time', () => {
  test('the silent step from rolled to onFace is a repeat; another face is not', () => {
    const roll = ['030303', '030304', '030305', '030105'];
    expect(told('d20', ...roll, '030505', '030506').slice(3)).toEqual(['6 thrown', 'ignored repeat', '7 placed']);
    expect(told('d4', '030501', '030401', '030501')).toEqual(['2 placed', '2 leaning', '2 placed']);
  });

  test('after a new link the same rest is told again, once', () => {
    expect(told('d20', '030507', 'down', 'up', '030507', '030507')).toEqual(['8 placed', '8 resync', 'ignored repeat']);
  });

  test('F029 link lost in mid-roll: unresolved after 10 s with whatever comes next, once', () => {
    for (const next of ['tick', 'up', 'down', '2455']) {
      const heard = told('d20', '@0 030303', '@300 down', `@10000 ${next}`, '@30000 tick');
      expect(heard.filter((word) => word === 'unresolved')).toHaveLength(1);
    }
    expect(told('d20', '@0 030303', '@9999 tick')).toEqual(['tumbling']);
    expect(told('d20', '@0 030303', '@10000 030107')).toEqual(['tumbling', 'unresolved', '8 unsure']);
  });

  test('F029 reconnected: the snapshot ends the wait and is no throw', () => {
    expect(told({}, '@0 030303', '@300 down', '@4000 up', `@4500 ${V12}`, '@20000 tick')).toEqual([
      'tumbling',
      'identity',
      '87%',
      '20 resync',
    ]);
  });

  test('a snapshot of a rolling die opens the throw', () => {
    const rolling = V12.replace('0113570', '0313570');
    expect(told({}, rolling, '030304', '030305', '030105').slice(2)).toEqual([
      'tumbling',
      'tumbling',
      'tumbling',
      '6 thrown',
    ]);
    expect(told({}, V12.replace('0113570', '0213570'))[2]).toBe('handling');
    expect(told({}, V12.replace('0113570', '0013570'))[2]).toBe('ignored state');
    expect(told({}, V12.replace('0113570', '0114570'))[2]).toBe('garbled face_range');
  });

  test('the machine says when it wants its tick', () => {
    const die = new Session({ type: 'd20' });
    expect(unresolvedAt(die.state)).toBeNull();
    die.hear('@500 030303');
    die.hear('@700 030304');
    expect(unresolvedAt(die.state)).toBe(10_700);
    die.hear('030104');
    expect(unresolvedAt(die.state)).toBeNull();
  });

  test('another die behind the same session begins anew', () => {
    expect(told({}, V12, V14).slice(3)).toEqual(['identity', '42%', '4 resync']);
  });
});

describe('battery', () => {
  test('F034 nothing on the charger and 2 s after is a roll', () => {
    const lines = ['226402', '030303', '030107', '@1000 226400', '@3000 030109', '@3001 030303'];
    expect(told('d20', ...lines)).toEqual([
      '100%+',
      'ignored charging',
      'ignored charging',
      '100%',
      'ignored charging',
      'tumbling',
    ]);
  });

  test('F034 a throw that ends on the charger is lost', () => {
    const lost = ['@0 030303', '@100 030304', '@200 030305', '@300 226402', '@400 226400'];
    expect(told('d20', ...lost, '@2500 030107').at(-1)).toBe('8 unsure');
    expect(told('d20', ...lost, '@11000 tick').at(-1)).toBe('unresolved');
    expect(told('d20', ...lost, '@2500 030301', '030302', '030303', '030103').at(-1)).toBe('4 thrown');
  });

  test('F112 0 % is told each time, above 100 is garbled', () => {
    expect(told('d20', '220000', '220000', '226500', '226406')).toEqual([
      '0%',
      '0%',
      'garbled value_range',
      'garbled value_range',
    ]);
  });

  test('bands: down at once, up only when clearly above', () => {
    expect([0, 1, 9, 10, 59, 60, 100].map((percent) => batteryBand(percent))).toEqual([
      'empty',
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
    ]);
    expect(batteryBand(60, 'medium')).toBe('medium');
    expect(batteryBand(65, 'medium')).toBe('high');
    expect(batteryBand(59, 'high')).toBe('medium');
    expect(batteryBand(14, 'low')).toBe('low');
    expect(batteryBand(62, 'low')).toBe('medium');
    expect(batteryBand(3, 'empty')).toBe('empty');
    const die = new Session({ type: 'd20' });
    expect(['223c00', '223b00', '223c00', '224100'].map((hex) => die.hear(hex) && die.state.battery?.band)).toEqual([
      'high',
      'medium',
      'medium',
      'high',
    ]);
  });

  test('settle and dwell are those of the design', () => {
    expect([PIXELS_SETTLE_MS, PIXELS_DWELL_MS]).toEqual([0, 600]);
  });
});

describe('rubbish', () => {
  test('empty and endless notifications', () => {
    expect(told('d20', '')).toEqual(['garbled length']);
    expect(session('d20', '03'.repeat(MAX_NOTIFICATION_BYTES + 1))).toMatchObject([
      { kind: 'garbled', why: 'too_long', hex: `${'03'.repeat(64)}…` },
    ]);
  });

  test('a command of a host is no message of a die', () => {
    expect(told('d20', '01', '21', '3b', '1d01e8030000b200ffffffff0001')).toEqual(
      Array.from({ length: 4 }, () => 'ignored host'),
    );
  });

  test('whatever bytes come: plain state, and a throw only after rolling', () => {
    const heads = ['0301', '0302', '0303', '0304', '0305', '02', '020f', '0214', '22', '24', '04', ''].map(bytesOf);
    const frame = fc
      .tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 30 }))
      .map(([head, tail]) => Uint8Array.from([...head, ...tail]));
    const short = fc
      .tuple(fc.constantFrom(1, 2, 3, 4, 5), fc.nat({ max: 21 }))
      .map(([state, index]) => Uint8Array.of(3, state, index));
    const firmware = fc.constantFrom(undefined, F2023_11, F2024_03, 1_729_600_000, F2024_11);
    fc.assert(
      fc.property(
        fc.constantFrom(undefined, ...PIXELS_KINDS),
        firmware,
        fc.array(fc.oneof(frame, short), { maxLength: 40 }),
        (type, build, frames) => {
          let state = pixels.start(
            { ...(type === undefined ? {} : { type }), ...(build === undefined ? {} : { firmware: build }) },
            0,
            60_000,
          );
          let rolling = false;
          for (const [i, bytes] of frames.entries()) {
            const heard = pixels.hear(state, { kind: 'notification', at: i * 200, bytes });
            state = heard.state;
            for (const signal of heard.signals) {
              if (signal.kind === 'tumbling') rolling = true;
              if (signal.kind !== 'rested') continue;
              if (signal.how === 'thrown') expect(rolling, 'a throw needs rolling').toBe(true);
              rolling = false;
            }
          }
          expect(structuredClone(state)).toEqual(state);
        },
      ),
      { numRuns: 1_000, seed: 706 },
    );
  });

  test('whatever adverts come: one reading and never an exception', () => {
    const cut = fc
      .tuple(fc.constantFrom(A1, PENDING, SR('5d40ef03', 'fcba2c67')).map(bytesOf), fc.nat({ max: 31 }), fc.nat())
      .map(([bytes, at, value]) => bytes.map((byte, i) => (i === at ? value & 0xff : byte)).subarray(0, 31));
    const any = fc.oneof(cut, fc.uint8Array({ maxLength: 64 }));
    fc.assert(
      fc.property(any, fc.option(any, { nil: undefined }), (advert, response) => {
        const kinds = ['advert', 'pending', 'foreign', 'garbled'];
        expect(kinds).toContain(readAdvert(advert, response, undefined).kind);
        let state = pixels.start({}, 0, 60_000);
        for (let at = 0; at < 3; at += 1) {
          const scanResponse = response === undefined ? {} : { scanResponse: response };
          const heard = pixels.hear(state, { kind: 'advert', at, advert, ...scanResponse });
          expect(words(heard.signals).every((word) => !word.endsWith('thrown'))).toBe(true);
          state = heard.state;
        }
      }),
      { numRuns: 1_000, seed: 706 },
    );
  });

  test('same state and input, same answer: the machine keeps nothing outside its state', () => {
    const start = pixels.start({ type: 'd20' }, 0, 60_000);
    const input = { kind: 'notification', at: 1, bytes: bytesOf('030303') } as const;
    expect(pixels.hear(start, input)).toEqual(pixels.hear(start, input));
    expect(unresolvedAt(start)).toBeNull();
  });
});
