import type { DieView } from '../wire/view.js';
import type { KnownDie } from './known-dice.js';
import type { DieListing } from './port.js';
import type { Binding } from './record.js';

/** Dice that are nobody's in the listing of a table. */
export const MAX_LISTED_UNKNOWN = 40;

/** Whose a die is: the table that has enrolled it, and for what. */
export interface Owner {
  readonly table: string;
  readonly binding: Binding;
}

/** A die as programs are told it: what was heard of it, and whose it is. */
export function listingOf(id: string, die: KnownDie | undefined, owner: Owner | undefined): DieListing {
  return {
    id,
    device: die?.device ?? owner?.binding.device ?? id,
    model: die?.model ?? owner?.binding.model ?? 'unknown',
    type: die?.type ?? owner?.binding.type ?? null,
    table: owner?.table ?? null,
    seat: owner?.binding.seat ?? null,
    duty: owner?.binding.duty ?? null,
    counter: owner?.binding.counter ?? null,
    link: die?.link ?? 'down',
    ...(die?.charge ?? { battery: null }),
    face: die?.face ?? null,
    fake: die?.fake ?? owner?.binding.fake ?? false,
    name: owner?.binding.name ?? null,
    ...onTheAir(die),
    ...(owner === undefined ? {} : readingOf(owner.binding)),
    ...(die?.shellDoubt === true ? { doubt: 'shell' as const } : {}),
  };
}

/** The owner's word on how a die is read, as far as there is one. */
function readingOf({ shell, kind, names }: Binding): Pick<DieListing, 'shell' | 'kind' | 'names'> {
  return {
    ...(shell === undefined ? {} : { shell }),
    ...(kind === undefined ? {} : { kind }),
    ...(names === undefined ? {} : { names }),
  };
}

/** What the radio knows of a die, as far as it is known. */
function onTheAir(die: KnownDie | undefined): Pick<DieListing, 'colour' | 'rssi' | 'following'> {
  const { colour, rssi, following } = die ?? {};
  return {
    ...(colour === undefined ? {} : { colour }),
    ...(rssi === undefined ? {} : { rssi }),
    ...(following === undefined ? {} : { following }),
  };
}

/** Dice as a table lists them; of those that are nobody's the nearest, so that a crowd does not fill every message. */
export function viewsOf(dice: readonly DieListing[], table: string, blocked: ReadonlySet<string>): readonly DieView[] {
  const views = dice.map((die): DieView => ({ ...die, state: stateOf(die, table, blocked) }));
  const strangers = views.filter(({ state }) => state === 'unknown');
  if (strangers.length <= MAX_LISTED_UNKNOWN) return views;
  // What has no signal strength is no radio's: a tray, a simulated die.
  const nearest = strangers.sort((a, b) => (b.rssi ?? 0) - (a.rssi ?? 0)).slice(0, MAX_LISTED_UNKNOWN);
  return [...views.filter(({ state }) => state !== 'unknown'), ...nearest];
}

/** What a die is to a table. */
function stateOf(die: DieListing, table: string, blocked: ReadonlySet<string>): DieView['state'] {
  if (blocked.has(die.id)) return 'blocked';
  if (die.table === null) return 'unknown';
  if (die.table !== table) return 'elsewhere';
  return die.seat === null ? 'shared' : 'bound';
}
