import type { Awaited, RollWire, Snapshot } from '../../src/wire/envelope.js';
import type { DieView, TableView } from '../../src/wire/view.js';

/** A name that would run if a page ever took it for markup (F014). */
export const HOSTILE = '<img src=x onerror=fetch("/pwn")>';

type Rolled = RollWire['dice'][number];

const d20 = (natural: number, more: Partial<Rolled> = {}): Rolled => ({
  die: 'godice-ada-d20',
  type: 'd20',
  sides: 20,
  natural,
  face: natural,
  result: natural,
  status: 'kept',
  source: 'physical',
  quality: 'ok',
  ...more,
});

export const roll = (seq: number, seat: string | null, natural: number, more: Partial<RollWire> = {}): RollWire => ({
  id: `prova-${seq}`,
  game: 'dadoteck',
  seat,
  purpose: 'move',
  rule: 'dadoteck:M1',
  dice: [d20(natural)],
  modifiers: [],
  natural,
  result: natural,
  verdict: 'accepted',
  standing: 'valid',
  origin: `fake/1/1/${seq}`,
  ...more,
});

const ROLLS: RollWire[] = [
  roll(41, 'ada', 17, { purpose: 'initiative', rule: 'dadoteck:I1', dice: [d20(17, { fake: true })] }),
  roll(42, 'bea', 11, { purpose: 'initiative', rule: 'dadoteck:I1', dice: [d20(11, { source: 'digital' })] }),
  roll(43, 'carlo', 4, { purpose: 'initiative', rule: 'dadoteck:I1', dice: [d20(4, { source: 'manual' })] }),
  roll(44, 'carlo', 19, { verdict: 'refused', code: 'wrong_seat', reason: 'not your turn', rule: 'dadoteck:I2' }),
  roll(45, null, 3, { verdict: 'loose', code: 'whose', reason: 'whose roll?', purpose: '', rule: '' }),
  roll(46, 'ada', 20, { standing: 'corrected', rule: 'dadoteck:M5' }),
  {
    ...roll(47, 'bea', 7, { game: 'dadoteck', purpose: 'attacco', rule: 'rule706:A2', total: 12 }),
    dice: [d20(7, { status: 'rerolled' }), d20(3, { status: 'ignored' }), d20(9)],
    natural: undefined,
    result: undefined,
    modifiers: [{ source: 'forza', amount: 3 }],
  },
];

const DICE: DieView[] = [
  die('godice-ada-d20', { name: 'Il rosso di Ada', type: 'd20', seat: 'ada', duty: 'rolls', state: 'bound', face: 17 }),
  die('fake-godice-d6', {
    type: 'd6',
    seat: 'ada',
    duty: 'counts',
    counter: 'pa',
    state: 'bound',
    face: 4,
    fake: true,
  }),
  die('pixels-bea-d20', { type: 'd20', state: 'shared', link: 'down', battery: 9 }),
  die('godice-7f3a', { type: null, state: 'unknown', link: 'down', battery: null, name: HOSTILE }),
];

function die(id: string, more: Partial<DieView>): DieView {
  return {
    id,
    type: 'd20',
    model: 'godice',
    seat: null,
    duty: null,
    counter: null,
    link: 'up',
    battery: 82,
    face: null,
    fake: false,
    name: null,
    state: 'shared',
    ...more,
  };
}

/** Dadoteck in its third round: Ada to move, Dario out, one name hostile. */
export const DADOTECK_VIEW: TableView = {
  name: 'Venerdì sera',
  seats: [
    { id: 'ada', name: 'Ada', counters: {} },
    { id: 'bea', name: 'Bea', counters: {} },
    { id: 'carlo', name: 'Gian Carlo', counters: {} },
    { id: 'dario', name: 'Dario', counters: {} },
    { id: 'eva', name: HOSTILE, counters: {} },
  ],
  game: {
    id: 'dadoteck',
    state: {
      phase: 'movement',
      round: 3,
      order: ['bea', 'ada', 'carlo', 'dario', 'eva'],
      pawns: { ada: 17, bea: 20, carlo: 8, eva: 4 },
      eliminated: ['dario'],
      initiativeDie: 20,
      movementDie: 20,
      over: false,
    },
    options: {},
  },
  evening: 'open',
  dice: DICE,
  loose: ROLLS.filter((one) => one.verdict !== 'accepted'),
  notices: [
    { code: 'unresolved', seat: 'bea', seq: 40 },
    { code: 'garbled', seq: 39 },
  ],
};

/** A table without a referee, its counting dice and what is wrong with one of them. */
export const FREE_VIEW: TableView = {
  name: 'prova',
  seats: [
    {
      id: 'ada',
      name: 'Ada',
      counters: { pv: 14, pa: 4 },
      trackers: [
        { counter: 'pv', die: 'pixels-bea-d20', face: 12, expected: 9, mismatch: true, armed: true, type: 'd20' },
        { counter: 'pa', die: 'fake-godice-d6', face: 4, armed: true },
      ],
    },
    { id: 'bea', name: 'Bea', counters: { pa: 6 } },
  ],
  game: { id: 'free', state: { rolls: 12 }, options: {} },
  evening: 'paused',
  dice: DICE,
  loose: [],
};

/** Dice on the air before play: how each is followed, strangers, and what the last window of a seat left to ask. */
export const AIR_VIEW: TableView = {
  ...FREE_VIEW,
  evening: 'open',
  radio: {
    state: 'quiet',
    links: 5,
    adapters: [
      { name: 'hci0', state: 'on', links: 5, linked: 1 },
      { name: 'hci1', state: 'unavailable', links: 2, linked: 0 },
    ],
    it: { reason: 'hci1: l’adattatore è spento', remedy: 'accendilo' },
    en: { reason: 'hci1: the adapter is off', remedy: 'switch it on' },
  },
  dice: [
    die('godice-bc0940', { model: 'GoDice', seat: 'ada', duty: 'rolls', state: 'bound', following: { by: 'link' } }),
    die('pixels-03ef405d', {
      model: 'Pixels',
      seat: 'ada',
      duty: 'counts',
      counter: 'pv',
      state: 'bound',
      colour: 'onyxBlack',
      following: { by: 'adverts', percent: 92 },
    }),
    die('pixels-03ef405e', {
      model: 'Pixels',
      type: 'd6',
      seat: 'bea',
      duty: 'counts',
      counter: 'pa',
      state: 'bound',
      following: { by: 'adverts', percent: 31, unreliable: true },
    }),
    die('godice-bc0941', {
      model: 'GoDice',
      seat: 'bea',
      duty: 'rolls',
      state: 'bound',
      shell: 'd20',
      doubt: 'shell',
      following: { by: 'none' },
    }),
    die('godice-7f3a00', { model: 'GoDice', type: null, state: 'unknown', colour: 'red', rssi: -48, battery: 60 }),
    die('pixels-0a0b0c0d', { model: 'Pixels', type: 'd8', state: 'unknown', colour: 'auroraSky', rssi: -81 }),
  ],
  collecting: {
    seat: 'bea',
    how: 'set',
    dice: [
      { die: 'pixels-03ef405e', model: 'Pixels', type: 'd6', duty: 'counts', counter: 'pa' },
      { die: 'godice-7f3a00', model: 'GoDice', type: null },
      { die: 'pixels-0a0b0c0d', model: 'Pixels', type: 'd8' },
    ],
    asked: [
      { die: 'godice-7f3a00', why: 'kind' },
      { die: 'pixels-0a0b0c0d', why: 'twice' },
    ],
  },
};

const MOVE: Awaited[] = [{ id: 'r3.move.ada', seat: 'ada', what: 'move', rule: 'dadoteck:M1', sides: 20 }];

/** One scene: what a table looks like to everyone. */
export interface Scene {
  readonly view: TableView;
  readonly awaited: Awaited[];
  readonly rolls: RollWire[];
}

export const SCENES = {
  dadoteck: { view: DADOTECK_VIEW, awaited: MOVE, rolls: ROLLS },
  initiative: {
    view: DADOTECK_VIEW,
    awaited: ['ada', 'bea', 'carlo'].map((seat) => ({
      id: `r3.initiative.${seat}`,
      seat,
      what: 'initiative',
      rule: 'dadoteck:I1',
      sides: 20,
    })),
    rolls: ROLLS,
  },
  assassin: {
    view: DADOTECK_VIEW,
    awaited: [
      { id: 'r3.assassin.ada', seat: 'ada', what: 'assassin', rule: 'dadoteck:M5', options: ['bea', 'carlo', 'eva'] },
    ],
    rolls: ROLLS,
  },
  free: {
    view: FREE_VIEW,
    awaited: [],
    rolls: ROLLS.slice(0, 3).map((one) => ({ ...one, game: 'free', purpose: '' })),
  },
  air: { view: AIR_VIEW, awaited: [], rolls: [] },
} as const satisfies Record<string, Scene>;

/** The snapshot of a scene as the daemon would send it. */
export const snapshotOf = (table: string, scene: Scene, seq = 47): Snapshot => ({
  kind: 'snapshot',
  v: 1,
  table,
  seq,
  view: scene.view as unknown as Snapshot['view'],
  awaited: scene.awaited,
  rolls: scene.rolls,
});
