import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkValues,
  GODICE_DWELL_MS,
  GODICE_SETTLE_MS,
  type GodiceOptions,
  type GodiceState,
  godice,
  unresolvedAt,
} from '../../src/devices/ble/godice.js';
import {
  encodeBattery,
  encodeColour,
  encodeInit,
  encodeLights,
  encodeOff,
  encodePulse,
  FIND_ME,
} from '../../src/devices/ble/godice-commands.js';
import {
  GODICE_SHELLS,
  type GodiceShell,
  parseShell,
  placesOfShell,
  point,
  publishedFace,
  typeOfShell,
} from '../../src/devices/ble/godice-faces.js';
import {
  BACKOFF_LAST_MS,
  backoffMs,
  CLOSE_TIMEOUT_MS,
  CONNECT_TIMEOUT_MS,
  idleLink,
  type LinkAct,
  type LinkInput,
  type LinkState,
  linkStep,
  linkWord,
  risenLink,
  STABLE_MS,
} from '../../src/devices/ble/link.js';
import type { Signal } from '../../src/devices/device.js';
import { fromHex, MAX_NOTIFICATION_BYTES, toHex } from '../../src/devices/hex.js';
import { SHELL_DOUBTS_TO_WARN } from '../../src/table/known-dice.js';

const bytesOf = (hex: string): Uint8Array => {
  const bytes = fromHex(hex);
  if (bytes === null) throw new Error(`the test's own hex is wrong: ${hex}`);
  return bytes;
};

/** A session in which words are link changes and names, all else hex; `@MS` sets the time, else 200 ms pass. */
class Session {
  state: GodiceState;
  at = -200;

  constructor(shell: GodiceShell, values?: GodiceOptions['values']) {
    this.state = godice.start(values === undefined ? { shell } : { shell, values }, 0, 60_000);
  }

  hear(line: string): readonly Signal[] {
    const [, ms, text = ''] = /^(?:@(\d+) )?(.*)$/.exec(line) ?? [];
    this.at = ms === undefined ? this.at + 200 : Number(ms);
    const { at } = this;
    const input =
      text === 'up' || text === 'down' || text === 'tick'
        ? ({ kind: text, at } as const)
        : text.startsWith('name ')
          ? ({ kind: 'name', at, text: text.slice(5) } as const)
          : ({ kind: 'notification', at, bytes: bytesOf(text) } as const);
    const heard = godice.hear(this.state, input);
    this.state = heard.state;
    return heard.signals;
  }
}

const session = (shell: GodiceShell, ...lines: readonly string[]): readonly Signal[] => {
  const die = new Session(shell);
  return lines.flatMap((line) => die.hear(line));
};

/** A session in few words: `tumbling`, `17 thrown`, `ignored charging`, `garbled unknown`. */
const told = (shell: GodiceShell, ...lines: readonly string[]): readonly string[] =>
  session(shell, ...lines).map((signal) => {
    if (signal.kind === 'rested') return `${signal.face} ${signal.how}`;
    if (signal.kind === 'garbled' || signal.kind === 'ignored') return `${signal.kind} ${signal.why}`;
    return signal.kind;
  });

/**
 * [row, shell, hex, index, face, tilt, gap, how after an R]; all of §7 that is a rest with gravity. Row 4's gap of 86 is
 * written out to one decimal.
 */
const RESTS: readonly (readonly [number, GodiceShell, string, number, number, number, number, string])[] = [
  [2, 'd6', '53C00000', 1, 1, 0, 90, 'thrown'],
  [3, 'd6', '53000040', 2, 2, 0, 90, 'thrown'],
  [4, 'd6', '530040FE', 3, 3, 1.8, 86.4, 'thrown'],
  [5, 'd6', '5300C000', 4, 4, 0, 90, 'thrown'],
  [6, 'd6', '530000C0', 5, 5, 0, 90, 'thrown'],
  [7, 'd6', '53400000', 6, 6, 0, 90, 'thrown'],
  [8, 'd6', '54530000C8', 5, 5, 0, 90, 'leaning'],
  [9, 'd6', '4653400000', 6, 6, 0, 90, 'placed'],
  [10, 'd6', '4D53C00000', 1, 1, 0, 90, 'placed'],
  [11, 'd6', '54532D2D00', 3, 3, 45, 0, 'leaning'],
  [12, 'd6', '54532D2E00', 3, 3, 44.4, 1.3, 'leaning'],
  [13, 'd6', '5453402D00', 6, 6, 35.1, 19.8, 'leaning'],
  [14, 'd6', '54532D2D2D', 2, 2, 54.7, 0, 'leaning'],
  [16, 'd20', '5453400016', 20, 20, 1.9, 37.9, 'thrown'],
  [17, 'd10', '5453400016', 20, 8, 1.9, 37.9, 'thrown'],
  [17, 'd10x', '5453400016', 20, 80, 1.9, 37.9, 'thrown'],
  [18, 'd20', '54534000EA', 8, 8, 1.9, 37.9, 'thrown'],
  [19, 'd10', '54534000EA', 8, 0, 1.9, 37.9, 'thrown'],
  [19, 'd10x', '54534000EA', 8, 0, 1.9, 37.9, 'thrown'],
  [20, 'd20', '54532AD628', 2, 2, 1.3, 39.5, 'thrown'],
  [21, 'd20', '545325DB25', 2, 2, 0, 41.8, 'thrown'],
  [22, 'd20', '5453DBDBDB', 7, 7, 0, 41.8, 'thrown'],
  [22, 'd10', '5453DBDBDB', 7, 9, 0, 41.8, 'thrown'],
  [22, 'd10x', '5453DBDBDB', 7, 90, 0, 41.8, 'thrown'],
  [23, 'd20', '54530017C4', 3, 3, 0.1, 41.7, 'thrown'],
  [24, 'd20', '5453400000', 8, 8, 20.9, 0, 'leaning'],
  [25, 'd20', '545300003C', 4, 4, 20.9, 0, 'leaning'],
  [26, 'd20', '46531640F0', 6, 6, 13.4, 18.7, 'leaning'],
  [27, 'd20', '4D53001640', 4, 4, 1.9, 37.9, 'placed'],
  [28, 'd20', '4D53400016', 20, 20, 1.9, 37.9, 'placed'],
  [29, 'd4', '54533D0116', 12, 1, 1.7, 33.6, 'thrown'],
  [29, 'd8', '54533D0116', 12, 5, 1.7, 33.6, 'thrown'],
  [29, 'd12', '54533D0116', 12, 12, 1.7, 33.6, 'thrown'],
  [30, 'd6', '54533D0116', 6, 6, 19.9, 50.3, 'leaning'],
  [31, 'd4', '5453EDC6EA', 6, 4, 1.9, 33.6, 'thrown'],
  [32, 'd4', '5453EBFF3B', 10, 3, 1.5, 33.9, 'thrown'],
  [33, 'd4', '545315C6ED', 1, 3, 1.4, 34.2, 'thrown'],
  [34, 'd4', '5453C300EC', 13, 1, 0.3, 36.3, 'thrown'],
  [35, 'd8', '5453281D28', 5, 2, 0.6, 35.7, 'thrown'],
  [35, 'd12', '5453281D28', 5, 5, 0.6, 35.7, 'thrown'],
  [36, 'd12', '5453D81DD8', 8, 8, 0.6, 35.7, 'thrown'],
  [37, 'd8', '5453D8E3D8', 18, 7, 0.6, 35.7, 'thrown'],
  [37, 'd12', '5453D8E3D8', 18, 6, 0.6, 35.7, 'thrown'],
  [38, 'd12', '5453000040', 2, 2, 18.4, 0, 'leaning'],
  [39, 'd12', '5453004000', 7, 7, 26.6, 0, 'leaning'],
];

/** Rows of §7 that say the same for any shell. */
const OTHERS: readonly (readonly [number, string, object])[] = [
  [1, '52', { kind: 'tumbling' }],
  [15, '53000000', { kind: 'garbled', why: 'no_gravity', got: '0', expected: '45…85', hex: '53000000' }],
  [40, '42617457', { kind: 'battery', percent: 87 }],
  [40, '42617464', { kind: 'battery', percent: 100 }],
  [40, '42617400', { kind: 'battery', percent: 0 }],
  [41, '426174FF', { kind: 'garbled', why: 'value_range', got: '255', expected: '0…100', hex: '426174FF' }],
  [42, '436F6C00', { kind: 'identity', model: 'GoDice', colour: 'black' }],
  [42, '436F6C05', { kind: 'identity', model: 'GoDice', colour: 'orange' }],
  [43, '436F6C2A', { kind: 'garbled', why: 'value_range', got: '42', expected: '0…5', hex: '436F6C2A' }],
  [44, '4368617200', { kind: 'battery', charging: false }],
  [44, '4368617201', { kind: 'battery', charging: true }],
  [45, '546170', { kind: 'ignored', why: 'tap', hex: '546170' }],
  [45, '44546170', { kind: 'ignored', why: 'tap', hex: '44546170' }],
  [46, '53C000', { kind: 'garbled', why: 'unknown', got: '3 bytes', expected: '4 bytes', hex: '53C000' }],
  [46, '5453C000', { kind: 'garbled', why: 'unknown', got: '4 bytes', expected: '5 bytes', hex: '5453C000' }],
  [46, '426174', { kind: 'garbled', why: 'unknown', got: '3 bytes', expected: '4 bytes', hex: '426174' }],
  [46, '', { kind: 'garbled', why: 'unknown', hex: '' }],
  [47, '526F6C6C', { kind: 'garbled', why: 'unknown', got: '4 bytes', expected: '1 byte', hex: '526F6C6C' }],
  [48, '56657203', { kind: 'identity', model: 'GoDice', firmware: 'v03' }],
];

describe('the vectors of protocols/godice §7', () => {
  test.each(RESTS)('row %i on a %s: %s is index %i, face %i', (_row, shell, hex, index, face, tilt, gap, how) => {
    const [tumbling, rested] = session(shell, '52', hex);
    expect(tumbling).toEqual({ kind: 'tumbling' });
    const word = { '53': 'stable', '54': 'tilt', '46': 'fake', '4D': 'move' }[hex.slice(0, 2)];
    const xyz = [...bytesOf(hex.slice(hex.startsWith('53') ? 2 : 4))].map((byte) => (byte > 127 ? byte - 256 : byte));
    expect(rested).toMatchObject({ kind: 'rested', face, how, evidence: { vendor: word, xyz, index, tilt, gap } });
  });

  test.each(OTHERS)('row %i: %s', (_row, hex, expected) => {
    for (const shell of GODICE_SHELLS) expect(session(shell, hex)).toEqual([expected]);
  });

  test('every row from 1 to 48 stands in these tables', () => {
    const rows = new Set([...RESTS, ...OTHERS].map(([row]) => row));
    expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: 48 }, (_, i) => i + 1));
  });

  test('a rest tells type, sides and what it rests on', () => {
    expect(session('d10x', '52', '54534000EA')[1]).toEqual({
      kind: 'rested',
      type: 'd00',
      sides: 10,
      face: 0,
      how: 'thrown',
      evidence: { vendor: 'tilt', xyz: [64, 0, -22], magnitude: 67.7, index: 8, tilt: 1.9, gap: 37.9 },
    });
  });
});

describe('shells', () => {
  test('geometry: every face of the D20 and D24 tables has its opposite, flat gaps as §4.4 gives them', () => {
    for (const [shell, gap] of [
      ['d6', 90],
      ['d20', 41.8],
      ['d12', 36.9],
    ] as const) {
      const reached = new Set<number>();
      const count = fc.integer({ min: -64, max: 64 });
      fc.assert(
        fc.property(count, count, count, (x, y, z) => {
          const found = point(shell, [x, y, z]);
          if (found === null) return;
          const against = point(shell, [-x, -y, -z]);
          reached.add(found.index);
          if (shell === 'd20' && found.gap > 0.01) expect(found.index + (against?.index ?? 0)).toBe(21);
          if (shell === 'd6' && found.gap > 0.01) expect(found.index + (against?.index ?? 0)).toBe(7);
          expect(found.gap).toBeLessThanOrEqual(gap + 0.1);
          expect(against?.tilt).toBeCloseTo(found.tilt, 6);
        }),
        { numRuns: 2_000, seed: 706 },
      );
      expect(reached.size).toBe(placesOfShell(shell));
    }
  });

  test('the published transforms: how often each printed face occurs', () => {
    const census = (shell: GodiceShell) => {
      const counts = new Map<number, number>();
      for (let index = 1; index <= placesOfShell(shell); index += 1) {
        const face = publishedFace(shell, index) ?? Number.NaN;
        counts.set(face, (counts.get(face) ?? 0) + 1);
      }
      return [...counts].sort(([a], [b]) => a - b).map(([face, count]) => `${face}x${count}`);
    };
    expect(census('d4')).toEqual(['1x7', '2x6', '3x5', '4x6']);
    expect(census('d8')).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((face) => `${face}x3`));
    expect(census('d10')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((face) => `${face}x2`));
    expect(census('d10x')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((ones) => `${ones * 10}x2`));
    expect(census('d12')).toEqual(Array.from({ length: 12 }, (_, i) => `${i + 1}x2`));
  });

  test('words: D20 and d10x are shells, d100 is none; d10x is a d00', () => {
    expect([parseShell('D20'), parseShell(' d10x '), parseShell('d100')]).toEqual(['d20', 'd10x', null]);
    expect(GODICE_SHELLS.map(typeOfShell)).toEqual(['d4', 'd6', 'd8', 'd10', 'd00', 'd12', 'd20']);
  });

  test("a die's own values replace the published ones, and only there", () => {
    const die = new Session('d4', [[13, 4]]);
    expect(die.hear('5453C300EC')).toMatchObject([{ face: 4, evidence: { index: 13 } }]);
    expect(die.hear('54533D0116')).toMatchObject([{ face: 1, evidence: { index: 12 } }]);
    expect(checkValues({ shell: 'd4', values: [[13, 4]] }).ok).toBe(true);
    expect(checkValues({ shell: 'd4', values: [[25, 4]] })).toEqual({ ok: false, error: 'index 25: expected 1 to 24' });
    expect(checkValues({ shell: 'd4', values: [[1, 5]] })).toEqual({ ok: false, error: 'index 1: a d4 has no face 5' });
    expect(new Session('d4', [[13, 9]]).hear('5453C300EC')).toMatchObject([
      { kind: 'garbled', why: 'face_range', got: '9' },
    ]);
  });

  test('a wrong shell setting is doubted: a bare die set as D20, a shell set as D6 (JS#15)', () => {
    const die = new Session('d6');
    const doubts = ['54533D0116', '5453EDC6EA', '5453EBFF3B', '53004000'].map((hex) => {
      die.hear('52');
      const [rested] = die.hear(hex);
      return rested?.kind === 'rested' ? rested.evidence.shellDoubt : 'none';
    });
    expect(doubts).toEqual([1, 2, SHELL_DOUBTS_TO_WARN, undefined]);
    expect(session('d20', '53004000')).toMatchObject([{ evidence: { shellDoubt: 1 } }]);
    expect(session('d20', '5453400016')[0]).not.toHaveProperty('evidence.shellDoubt');
  });
});

describe('how a die came to rest: the first word that fits', () => {
  test('resync comes before leaning, placed, unsure and thrown', () => {
    expect(told('d6', 'up', '52', '5453402D00')).toEqual(['tumbling', '6 resync']);
    expect(told('d20', 'up', '4653400016')).toEqual(['20 resync']);
    expect(told('d20', 'up', '4D53400016')).toEqual(['20 resync']);
    expect(told('d20', 'up', '52', '5453400016')).toEqual(['tumbling', '20 resync']);
  });

  test('resync lasts 2 s after up and not longer; before the first up the link is old', () => {
    expect(told('d20', '@1000 up', '@3000 5453400016')).toEqual(['20 resync']);
    expect(told('d20', '@1000 up', '@3001 5453400016')).toEqual(['20 unsure']);
    expect(told('d20', '@0 5453400016')).toEqual(['20 unsure']);
  });

  test('leaning comes before placed: a fake or moved rest that leans', () => {
    expect(told('d20', '46531640F0', '4D53400000')).toEqual(['6 leaning', '8 leaning']);
  });

  test('a bare d6 may lean up to 15 degrees, a shell up to 12', () => {
    // atan(16/64) = 14.0, atan(18/64) = 15.7 degrees.
    expect(told('d6', '52', '53401000', '52', '53401200')).toEqual(['tumbling', '6 thrown', 'tumbling', '6 leaning']);
    expect(session('d20', '46531640F0')).toMatchObject([{ evidence: { tilt: 13.4 }, how: 'leaning' }]);
  });

  test('TS on a bare d6 is leaning however flat; MS and FS are not', () => {
    expect(told('d6', '52', '5453400000', '4D53400000')).toEqual(['tumbling', '6 leaning', '6 placed']);
  });

  test('S and TS without an R are unsure; FS and MS are placed with or without', () => {
    expect(told('d20', '5453400016', '4D534000EA', '52', '4653001640')).toEqual([
      '20 unsure',
      '8 placed',
      'tumbling',
      '4 placed',
    ]);
  });

  test('a rest closes the R: the next one without an R is unsure', () => {
    expect(told('d20', '52', '5453400016', '54534000EA')).toEqual(['tumbling', '20 thrown', '8 unsure']);
    expect(told('d20', '52', '4D53400016', '54534000EA')).toEqual(['tumbling', '20 placed', '8 unsure']);
  });

  test('a shock is no rest: the throw goes on and its end counts', () => {
    expect(told('d20', '52', '54537F7F7F', '5453050505', '5453400016')).toEqual([
      'tumbling',
      'garbled no_gravity',
      'garbled no_gravity',
      '20 thrown',
    ]);
  });

  test('the vector must be 45 to 85 counts long', () => {
    expect(told('d6', '532D0000', '532C0000', '53550000', '53560000')).toEqual([
      '6 unsure',
      'garbled no_gravity',
      'ignored repeat',
      'garbled no_gravity',
    ]);
  });

  test('turned is the angle to the rest before, absent for the first', () => {
    const [, first, , tip, , far] = session('d20', '52', '5453400016', '52', '54534000EA', '52', '5453C000EA');
    expect(first).not.toHaveProperty('evidence.turned');
    expect(tip).toMatchObject({ face: 8, evidence: { turned: 37.9 } });
    expect(far).toMatchObject({ face: 1, evidence: { turned: 142.1 } });
  });
});

describe('repeats', () => {
  test('a rest told twice without movement is ignored, however late', () => {
    const rolled = ['52', '545300EAC0', '545300EAC0', '@3600000 545300EAC0'];
    expect(told('d20', ...rolled)).toEqual(['tumbling', '17 thrown', 'ignored repeat', 'ignored repeat']);
    expect(told('d20', '4D53400016', '4D53400016')).toEqual(['20 placed', 'ignored repeat']);
    expect(told('d20', '52', '5453400016', '5453400115')).toEqual(['tumbling', '20 thrown', 'ignored repeat']);
  });

  test('F094 two throws of the same face are two rolls, 4 s or 0.2 s apart', () => {
    expect(told('d20', '52', '545300EAC0', '@4400 52', '545300EAC0')).toEqual([
      'tumbling',
      '17 thrown',
      'tumbling',
      '17 thrown',
    ]);
    expect(told('d20', '@0 52', '@100 545300EAC0', '@200 52', '@300 545300EAC0')).toEqual([
      'tumbling',
      '17 thrown',
      'tumbling',
      '17 thrown',
    ]);
  });

  test('another word, another face or another lie is no repeat', () => {
    expect(told('d20', '52', '5453400016', '4D53400016')).toEqual(['tumbling', '20 thrown', '20 placed']);
    expect(told('d20', '46531640F0', '4653164000')).toEqual(['6 leaning', '6 placed']);
  });

  test('after a new link the same rest is told again, once', () => {
    expect(told('d20', '52', '5453400016', 'down', 'up', '5453400016', '5453400016')).toEqual([
      'tumbling',
      '20 thrown',
      '20 resync',
      'ignored repeat',
    ]);
  });
});

describe('unresolved', () => {
  test('F029 link lost in mid-roll: unresolved after 10 s with whatever comes next', () => {
    expect(told('d20', '@0 52', '@300 down', '@9999 tick')).toEqual(['tumbling']);
    for (const next of ['tick', 'up', 'down']) {
      expect(told('d20', '@0 52', '@300 down', `@10000 ${next}`, '@30000 tick')).toEqual(['tumbling', 'unresolved']);
    }
    expect(told('d20', '@0 52', '@12000 42617457')).toEqual(['tumbling', 'unresolved', 'battery']);
  });

  test('F029 a late resync is labelled, never a throw; within 10 s it ends the wait', () => {
    expect(told('d20', '@0 52', '@300 down', '@4000 up', '@4500 5453400016', '@20000 tick')).toEqual([
      'tumbling',
      '20 resync',
    ]);
    expect(told('d20', '@0 52', '@300 down', '@11000 up', '@11500 5453400016')).toEqual([
      'tumbling',
      'unresolved',
      '20 resync',
    ]);
  });

  test('F115 off the table and picked up: the first roll is unresolved, the second no throw', () => {
    expect(told('d20', '@0 52', '@12000 52', '@12500 4653001640')).toEqual([
      'tumbling',
      'unresolved',
      'tumbling',
      '4 placed',
    ]);
  });

  test('a rest after it is unsure; a new R refreshes the wait; it is told once', () => {
    expect(told('d20', '@0 52', '@10000 5453400016')).toEqual(['tumbling', 'unresolved', '20 unsure']);
    expect(told('d20', '@0 52', '@9000 52', '@18000 5453400016')).toEqual(['tumbling', 'tumbling', '20 thrown']);
    expect(told('d20', '@0 52', '@10000 tick', '@10001 tick', '@40000 tick')).toEqual(['tumbling', 'unresolved']);
  });

  test('the machine says when it wants its tick', () => {
    const die = new Session('d20');
    expect(unresolvedAt(die.state)).toBeNull();
    die.hear('@500 52');
    expect(unresolvedAt(die.state)).toBe(10_500);
    die.hear('5453400016');
    expect(unresolvedAt(die.state)).toBeNull();
  });
});

describe('real failures at the codec', () => {
  test('F002 a die held or picked up: no burst of rests without an R is a throw', () => {
    const burst = ['52', '4653400016', '545300EAC0', '54532AD628', '5453400016', '54530017C4', '5453DBDBDB'];
    const signals = session('d20', ...burst);
    expect(signals[1]).toMatchObject({ face: 20, how: 'placed', evidence: { vendor: 'fake' } });
    expect(told('d20', ...burst).slice(2)).toEqual(['17 unsure', '2 unsure', '20 unsure', '3 unsure', '7 unsure']);
  });

  test('F031 a cocked or leaning die is marked', () => {
    expect(told('d6', '52', '5453402D00', '52', '54532D2D00')).toEqual([
      'tumbling',
      '6 leaning',
      'tumbling',
      '3 leaning',
    ]);
  });

  test('F034 nothing on the charger and 2 s after is a roll', () => {
    expect(told('d6', '4368617201', '52', '530000C0', '@1000 4368617200', '@3000 530000C0', '@3001 52')).toEqual([
      'battery',
      'ignored charging',
      'ignored charging',
      'battery',
      'ignored charging',
      'tumbling',
    ]);
    expect(told('d6', '4368617201', '4D53000040', '42617432')).toEqual(['battery', 'ignored charging', 'battery']);
  });

  test('F034 a throw that ends on the charger is lost: unsure afterwards, or unresolved', () => {
    expect(told('d6', '@0 52', '@100 4368617201', '@200 4368617200', '@2300 53000040')).toEqual([
      'tumbling',
      'battery',
      'battery',
      '2 unsure',
    ]);
    expect(told('d6', '@0 52', '@100 4368617201', '@10500 42617464')).toEqual([
      'tumbling',
      'battery',
      'unresolved',
      'battery',
    ]);
  });

  test('F034 "not charging" in the answer to init starts no calm', () => {
    expect(told('d20', 'down', 'up', '42617464', '4368617200', '5453400016')).toEqual([
      'battery',
      'battery',
      '20 resync',
    ]);
  });

  test('F112 a battery above 100 is garbled, 0 is told as it is', () => {
    expect(told('d20', '42617400', '42617450', '426174FF', '42617465')).toEqual([
      'battery',
      'battery',
      'garbled value_range',
      'garbled value_range',
    ]);
  });

  test('session traces of §7: roll, turned tracker, clean d6 roll, dropped die', () => {
    expect(told('d20', '52', '@1500 5453400016', '4D53001640')).toEqual(['tumbling', '20 thrown', '4 placed']);
    expect(told('d6', '52', '53004000')).toEqual(['tumbling', '3 thrown']);
    expect(told('d20', '52', '4653400016')).toEqual(['tumbling', '20 placed']);
  });
});

describe('names and rubbish', () => {
  test.each([
    ['GoDice_BC0940_K_v03', { id: 'BC0940', colour: 'black', firmware: 'v03' }],
    ['GoDice_19CCE4_Y_v04', { id: '19CCE4', colour: 'yellow', firmware: 'v04' }],
    ['GoDice_8a8272', { id: '8A8272' }],
    ['GoDice_Proto_Test', {}],
    ['GoDice', {}],
  ])('%s is one of ours', (name, parts) => {
    expect(session('d20', `name ${name}`)).toEqual([{ kind: 'identity', model: 'GoDice', ...parts, name }]);
  });

  test('foreign names are ignored, shown as they are', () => {
    for (const text of ['Pixel', 'godice_BC0940', 'GoDicey', '<img src=x onerror=fetch("/pwn")>', '__proto__']) {
      expect(session('d20', `name ${text}`)).toEqual([{ kind: 'ignored', why: 'foreign', text }]);
    }
    expect(session('d20', `name GoDice_${'x'.repeat(300)}`)).toMatchObject([{ kind: 'garbled', why: 'too_long' }]);
  });

  test('surplus and unknown bytes are strange, not tolerated', () => {
    expect(told('d20', '5200', '53C0000000', '546170FF', 'DEADBEEF', '436861')).toEqual(
      Array.from({ length: 5 }, () => 'garbled unknown'),
    );
    expect(session('d20', '43616C01')).toMatchObject([{ kind: 'ignored', why: 'telemetry' }]);
    expect(session('d20', '4368617202')).toMatchObject([{ kind: 'garbled', why: 'value_range', got: '2' }]);
    expect(session('d20', '00'.repeat(MAX_NOTIFICATION_BYTES + 1))).toMatchObject([
      { kind: 'garbled', why: 'too_long', hex: `${'00'.repeat(64)}…` },
    ]);
  });

  test('whatever bytes come, there is one answer and never an exception', () => {
    const heads = ['52', '53', '5453', '4653', '4D53', '426174', '436F6C', '43686172', '546170', ''].map(bytesOf);
    const frame = fc
      .tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 6 }))
      .map(([head, tail]) => Uint8Array.from([...head, ...tail]));
    fc.assert(
      fc.property(fc.constantFrom(...GODICE_SHELLS), fc.array(frame, { maxLength: 30 }), (shell, frames) => {
        let state = godice.start({ shell }, 0, 60_000);
        let open = false;
        for (const [i, bytes] of frames.entries()) {
          const heard = godice.hear(state, { kind: 'notification', at: i * 200, bytes });
          state = heard.state;
          expect(heard.signals).toHaveLength(1);
          const [signal] = heard.signals;
          if (signal?.kind === 'tumbling') open = true;
          if (signal?.kind !== 'rested') continue;
          if (signal.how === 'thrown') expect(open, 'a throw needs an R').toBe(true);
          open = false;
        }
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: 1_000, seed: 706 },
    );
  });

  test('same state and input, same answer: the machine keeps nothing outside its state', () => {
    const start = godice.start({ shell: 'd20' }, 0, 60_000);
    const input = { kind: 'notification', at: 1, bytes: bytesOf('52') } as const;
    expect(godice.hear(start, input)).toEqual(godice.hear(start, input));
    expect(unresolvedAt(start)).toBeNull();
  });

  test('hex: either case, blanks between bytes, nothing else', () => {
    expect(fromHex(' 53 c0 00 0A ')).toEqual(Uint8Array.of(0x53, 0xc0, 0, 10));
    expect([fromHex('5'), fromHex('5 3'), fromHex('0x52'), fromHex('zz')]).toEqual([null, null, null, null]);
    expect(toHex(Uint8Array.of(0, 171))).toBe('00AB');
  });
});

describe('commands of §3', () => {
  const golden: readonly (readonly [string, Uint8Array, string])[] = [
    ['battery', encodeBattery(), '03'],
    ['colour', encodeColour(), '17'],
    ['off', encodeOff(), '14'],
    ['init as the vendor sends it', encodeInit(FIND_ME), '191E03323200FF000100'],
    ['both lights red', encodeLights([255, 0, 0], [255, 0, 0]), '08FF0000FF0000'],
    ['the second light red', encodeLights([0, 0, 0], [255, 0, 0]), '08000000FF0000'],
    ['5 blue pulses', encodePulse({ count: 5, onMs: 300, offMs: 200, rgb: [0, 0, 255] }), '10051E140000FF0100'],
    ['3 blue pulses', encodePulse({ count: 3, onMs: 400, offMs: 500, rgb: [0, 0, 255] }), '100328320000FF0100'],
    ['endless white', encodePulse({ count: 255, onMs: 100, offMs: 100, rgb: [255, 255, 255] }), '10FF0A0AFFFFFF0100'],
  ];
  test.each(golden)('%s', (_name, bytes, hex) => expect(toHex(bytes)).toBe(hex));

  test('what does not fit into a byte is a fault of the program', () => {
    expect(() => encodePulse({ ...FIND_ME, onMs: 2_560 })).toThrow(RangeError);
    expect(() => encodePulse({ ...FIND_ME, offMs: 15 })).toThrow(RangeError);
    expect(() => encodePulse({ ...FIND_ME, rgb: [256, 0, 0] })).toThrow(RangeError);
    expect(() => encodeInit(FIND_ME, -1)).toThrow(RangeError);
  });

  test('settle and dwell are those of the design', () => {
    expect([GODICE_SETTLE_MS, GODICE_DWELL_MS]).toEqual([250, 800]);
  });
});

describe('the link machine', () => {
  const run = (start: LinkState, ...inputs: readonly LinkInput[]): { state: LinkState; acts: LinkAct[] } => {
    const acts: LinkAct[] = [];
    let state = start;
    for (const input of inputs) {
      const next = linkStep(state, input);
      state = next.state;
      acts.push(...next.acts);
    }
    return { state, acts };
  };
  const wanted: LinkInput = { kind: 'want', link: 'up', at: 0 };

  test('connects only to a die that is wanted and was seen', () => {
    expect(run(idleLink(0), { kind: 'seen', at: 1 }).acts).toEqual([]);
    const { state, acts } = run(idleLink(0), wanted, { kind: 'seen', at: 1 }, { kind: 'seen', at: 2 });
    expect(acts).toEqual(['connect']);
    expect(linkWord(state)).toBe('connecting');
    expect(run(state, { kind: 'connected', at: 3 }).acts).toEqual(['tell_up']);
  });

  test('an attempt that hangs is cancelled, then paused', () => {
    const { state } = run(idleLink(0), wanted, { kind: 'seen', at: 0 });
    expect(run(state, { kind: 'tick', at: CONNECT_TIMEOUT_MS - 1 }).acts).toEqual([]);
    const late = run(state, { kind: 'tick', at: CONNECT_TIMEOUT_MS });
    expect(late.acts).toEqual(['cancel']);
    expect(late.state).toMatchObject({ actual: 'backoff', failures: 1 });
    expect(run(late.state, { kind: 'seen', at: CONNECT_TIMEOUT_MS + 1 }).acts).toEqual([]);
    expect(run(late.state, { kind: 'tick', at: late.state.until ?? 0 }, { kind: 'seen', at: 20_000 }).acts).toEqual([
      'connect',
    ]);
  });

  test('pauses double from 0.5 s to 5 s, and begin anew after a good link', () => {
    expect([1, 2, 3, 4, 5, 1_000_000].map(backoffMs)).toEqual([500, 1_000, 2_000, 4_000, BACKOFF_LAST_MS, 5_000]);
    const shaky: LinkState = { ...risenLink(0), failures: 4 };
    expect(run(shaky, { kind: 'dropped', at: STABLE_MS - 1 }).state.failures).toBe(5);
    expect(run(shaky, { kind: 'dropped', at: STABLE_MS }).state.failures).toBe(1);
  });

  test('F058 a link that does not close is abandoned and comes back', () => {
    const closing = run(risenLink(0), { kind: 'want', link: 'down', at: 1 });
    expect(closing.acts).toEqual(['tell_down', 'disconnect']);
    const gone = run(closing.state, { kind: 'tick', at: 1 + CLOSE_TIMEOUT_MS });
    expect(gone.acts).toEqual(['abandon']);
    expect(run(gone.state, wanted, { kind: 'seen', at: 9_000 }, { kind: 'connected', at: 9_100 }).acts).toEqual([
      'connect',
      'tell_up',
    ]);
  });

  test('an attempt that was called off and succeeds all the same is closed', () => {
    const { acts, state } = run(
      idleLink(0),
      wanted,
      { kind: 'seen', at: 1 },
      { kind: 'want', link: 'down', at: 2 },
      { kind: 'connected', at: 3 },
      { kind: 'dropped', at: 4 },
    );
    expect(acts).toEqual(['connect', 'cancel', 'disconnect']);
    expect(state).toMatchObject({ actual: 'down', desired: 'down' });
  });

  test('an adapter that is switched off shows every die offline at once', () => {
    const { state, acts } = run(risenLink(0), { kind: 'off', at: 5 });
    expect(acts).toEqual(['tell_down']);
    expect(run(state, { kind: 'seen', at: 6 }).acts).toEqual(['connect']);
  });

  test('whatever comes in whatever order: up and down are told in turn, and no hanging state lacks its deadline', () => {
    const input = fc.oneof(
      fc.constantFrom('seen', 'connected', 'failed', 'dropped', 'off', 'tick').map((kind) => ({ kind })),
      fc.constantFrom('up', 'down').map((link) => ({ kind: 'want', link })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(input, fc.nat({ max: 12_000 })), { maxLength: 60 }), (steps) => {
        let at = 0;
        let state = idleLink(0);
        let up = false;
        for (const [what, pause] of steps) {
          at += pause;
          const next = linkStep(state, { ...what, at } as LinkInput);
          state = next.state;
          for (const act of next.acts) {
            if (act === 'tell_up' || act === 'tell_down') {
              expect(act === 'tell_up').toBe(!up);
              up = act === 'tell_up';
            }
          }
          expect(up).toBe(state.actual === 'up');
          const hangs = ['connecting', 'closing', 'backoff'].includes(state.actual);
          expect(state.until !== null).toBe(hangs);
        }
      }),
      { numRuns: 2_000, seed: 706 },
    );
  });
});
