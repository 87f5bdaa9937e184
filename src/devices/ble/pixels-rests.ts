import { type Face, isFaceOf } from '../../dice/die.js';
import type { How, Signal } from '../device.js';
import { toHex } from '../hex.js';
import { type PixelsWord, wordOf } from './pixels-eras.js';
import { placesOf, type Shown, shownAt, sidesOfKind, typeOfKind } from './pixels-faces.js';
import type { RawState } from './pixels-identity.js';
import { degreesTurned } from './pixels-normals.js';
import { isDisturbed } from './pixels-power.js';
import { firmwareOf, kindOf, type LastRest, type PixelsState, type Step, stay, stirred } from './pixels-state.js';

/** A rest this soon after the link came up is the die's memory, not a throw (contracts A). */
export const RESYNC_MS = 2_000;
/** With fewer different faces while rolling, a throw that ends on the old face was a bump of the table (§4.6). */
export const BUMP_FACES = 3;
/** A die looks every 160 ms (§4.2) and is heard up to a connection interval later: a rest this short was no rest. */
export const ONE_LOOK_MS = 195;

/** What tells a state that is no event: never a throw, and told even if nothing changed or the die charges. */
export type Snapshot = 'identity' | 'answer' | 'advert';

interface Rest {
  readonly word: 'rolled' | 'onFace' | 'crooked';
  readonly index: number;
  readonly at: number;
  readonly snapshot: Snapshot | null;
}

/** The first word that fits, in the order of contracts A. */
function howOf(state: PixelsState, { word, index, at, snapshot }: Rest, known: boolean): How {
  if (snapshot !== null || (state.upAt !== null && at - state.upAt <= RESYNC_MS)) return 'resync';
  if (word === 'crooked') return 'leaning';
  if (word === 'onFace') return 'placed';
  const { tumble, old } = state;
  if (tumble === null || !tumble.counts || !known) return 'unsure';
  const back = index === old || index === tumble.under;
  return tumble.seen.length < BUMP_FACES && back ? 'unsure' : 'thrown';
}

function evidenceOf(state: PixelsState, raw: RawState, rest: Rest, side: boolean) {
  const { tumble, last } = state;
  const turned = last === null ? undefined : degreesTurned(kindOf(state), last.index, raw.index);
  return {
    vendor: rest.word,
    state: raw.state,
    index: raw.index,
    ...(tumble === null ? {} : { faces: tumble.seen.length, rollingMs: Math.round(tumble.at - tumble.since) }),
    ...(turned === undefined ? {} : { turned }),
    ...(side ? { side } : {}),
    ...(rest.snapshot === null ? {} : { snapshot: rest.snapshot }),
  };
}

function isRepeat({ last }: PixelsState, { index, word, snapshot }: Rest): boolean {
  // An advert is sent five times a second; the other snapshots were asked for and are answered.
  if (snapshot !== null && snapshot !== 'advert') return false;
  return last !== null && !last.moved && last.index === index && last.crooked === (word === 'crooked');
}

function faceAt(state: PixelsState, index: number): Shown | undefined {
  const own = state.options.values?.find(([place]) => place === index)?.[1];
  if (own !== undefined) return { face: own, side: false };
  const kind = kindOf(state);
  return kind === undefined ? { face: index, side: false } : shownAt(kind, firmwareOf(state), index);
}

const strangeFace = (got: Face, expected: string, packet: Uint8Array): Signal => ({
  kind: 'garbled',
  why: 'face_range',
  got: String(got),
  expected,
  hex: toHex(packet),
});

function hearRest(state: PixelsState, raw: RawState, rest: Rest, shown: Shown, packet: Uint8Array): Step {
  if (isRepeat(state, rest)) return stay(state, { kind: 'ignored', why: 'repeat', hex: toHex(packet) });
  const kind = kindOf(state);
  const type = kind === undefined ? undefined : typeOfKind(kind);
  if (type !== undefined && !isFaceOf(type, shown.face)) {
    return stay(state, strangeFace(shown.face, `a face of a ${type}`, packet));
  }
  const how = howOf(state, rest, type !== undefined);
  const evidence = evidenceOf(state, raw, rest, shown.side);
  const last = { index: raw.index, crooked: rest.word === 'crooked', moved: false, at: rest.at, before: state.old };
  return stay(
    { ...state, tumble: null, old: raw.index, last },
    {
      kind: 'rested',
      ...(type === undefined ? {} : { type }),
      sides: kind === undefined ? (state.die?.leds ?? 0) : sidesOfKind(kind),
      face: shown.face,
      how,
      evidence,
    },
  );
}

const underOf = (last: LastRest | null, at: number): number | null =>
  last !== null && at - last.at <= ONE_LOOK_MS ? last.before : null;

function hearRolling(state: PixelsState, index: number, at: number): Step {
  // A throw that the charger took is over: what rolls now is another.
  const open = state.tumble?.counts ? state.tumble : null;
  const seen = open?.seen ?? [];
  const next = {
    since: open?.since ?? at,
    at,
    seen: seen.includes(index) ? seen : [...seen, index],
    counts: true,
    under: open === null ? underOf(state.last, at) : open.under,
  };
  const old = state.old ?? index;
  return stay({ ...state, tumble: next, old, last: stirred(state.last) }, { kind: 'tumbling' });
}

// On old firmware 1 is any rest: it ends a throw only if the die was rolling (§4.3).
function restWord(word: Exclude<PixelsWord, 'handling' | 'rolling'>, state: PixelsState, side: boolean): Rest['word'] {
  if (side) return 'crooked';
  if (word !== 'rest') return word;
  return state.tumble === null ? 'onFace' : 'rolled';
}

/**
 * Takes a state with its face index, from a RollState or a snapshot: a movement, a rest, or why it is neither. What is
 * garbled changes nothing.
 */
export function hearState(
  state: PixelsState,
  raw: RawState,
  at: number,
  snapshot: Snapshot | null,
  packet: Uint8Array,
): Step {
  const firmware = firmwareOf(state);
  const word = wordOf(raw.state, firmware);
  if (word === null) return stay(state, { kind: 'ignored', why: 'state', hex: toHex(packet) });
  const shown = faceAt(state, raw.index);
  if (shown === undefined) {
    const kind = kindOf(state);
    const places = kind === undefined ? 0 : placesOf(kind, firmware);
    return stay(state, strangeFace(raw.index, `0…${places - 1}`, packet));
  }
  if (snapshot === null && isDisturbed(state, at))
    return stay(state, { kind: 'ignored', why: 'charging', hex: toHex(packet) });
  if (word === 'rolling') return hearRolling(state, raw.index, at);
  if (word === 'handling') {
    return stay({ ...state, old: state.old ?? raw.index, last: stirred(state.last) }, { kind: 'handling' });
  }
  const rest: Rest = { word: restWord(word, state, shown.side), index: raw.index, at, snapshot };
  return hearRest(state, raw, rest, shown, packet);
}
