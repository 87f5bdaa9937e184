import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { KeptLine } from './box-list.js';
import { useBox } from './box-source.js';
import { Keys } from './fields.js';
import { type Box, type BoxPerk, own, type PerkLevels, STATS, type Stat } from './game.js';
import { perkText, shortName, statWord } from './words.js';

const LEVELS = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
const KINDS = ['advantage', 'mastery', 'economy'] as const;
const AMOUNTS = [1, 2, 3, 4, 5, 6] as const;

/** What has been touched so far of a perk; `at`: its place in its level, where it is to stand for another. */
interface Draft {
  readonly level: number | null;
  readonly kind: BoxPerk['kind'] | null;
  readonly stat: Stat | null;
  readonly at: number | null;
}

const EMPTY: Draft = { level: null, kind: null, stat: null, at: null };

/** The perks of a class with those of one level put anew; a level without any is left out. */
function withLevel(perks: PerkLevels, level: number, now: readonly BoxPerk[]): PerkLevels {
  const others = Object.fromEntries(Object.entries(perks).filter(([one]) => one !== String(level)));
  return now.length === 0 ? others : { ...others, [level]: now };
}

/** Which perk a class gains at which level: entered, changed and taken out by touches (G8). */
export function PerkEntry({ room }: { room: Room }) {
  const box = useBox(room);
  const chosen = useSignal('');
  if (box.value === null) return null;
  const ids = Object.keys(box.value.classes);
  const owner = ids.includes(chosen.value) ? chosen.value : (ids[0] ?? '');
  return (
    <div class="db-entry">
      <p class="quiet">{say('db.perk.hint')}</p>
      <Keys
        title={say('db.class')}
        values={ids}
        text={(id) => shortName(own(box.value?.classes, id)?.name, id)}
        chosen={(id) => id === owner}
        choose={(id) => {
          chosen.value = id;
        }}
        square={false}
      />
      <ClassPerks key={owner} room={room} box={box.value} owner={owner} />
    </div>
  );
}

function ClassPerks({ room, box, owner }: { room: Room; box: Box; owner: string }) {
  const deed = useDeed(room);
  const draft = useSignal<Draft>(EMPTY);
  // Touches that come before the box is there again would be put on what it was.
  const stale = useSignal<Box | null>(null);
  const perks = own(box.perks, owner) ?? {};
  const put = (level: number, now: readonly BoxPerk[]): void => {
    const entered = { [owner]: withLevel(perks, level, now) };
    void deed.run('choose', { seat: 'gm', action: 'box', perks: entered }).then((answer) => {
      if (answer.kind !== 'ack') return;
      stale.value = box;
      draft.value = EMPTY;
    });
  };
  const touch = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part };
  };
  const finish = (level: number, perk: BoxPerk): void => {
    const before = own(perks, String(level)) ?? [];
    const { at } = draft.value;
    put(level, at === null ? [...before, perk] : before.map((one, index) => (index === at ? perk : one)));
  };
  const busy = deed.busy || stale.value === box;
  const lines = LEVELS.flatMap((level) =>
    (own(perks, String(level)) ?? []).map((perk, at, all) => ({
      key: `${level} ${at}`,
      title: say('db.level', { n: level }),
      text: perkText(perk),
      change: () => touch({ ...EMPTY, level, at }),
      remove: () => put(level, [...all.slice(0, at), ...all.slice(at + 1)]),
    })),
  );
  return (
    <>
      <ul class="db-kept" aria-label={say('db.perks')}>
        {lines.map((line) => (
          <KeptLine {...line} key={line.key} busy={busy} />
        ))}
      </ul>
      {lines.length === 0 ? <p class="quiet">{say('db.perk.none')}</p> : null}
      <PerkKeys draft={draft.value} touch={touch} finish={finish} busy={busy} />
      {deed.note}
    </>
  );
}

interface KeysProps {
  readonly draft: Draft;
  readonly touch: (part: Partial<Draft>) => void;
  readonly finish: (level: number, perk: BoxPerk) => void;
  readonly busy: boolean;
}

/** The next touch: level, kind, statistic, how much; the last one saves. */
function PerkKeys({ draft, touch, finish, busy }: KeysProps) {
  const { level, kind, stat, at } = draft;
  const told = [
    ...(level === null ? [] : [say('db.level', { n: level })]),
    ...(kind === null ? [] : [say(`db.perk.kind.${kind}`)]),
    ...(stat === null ? [] : [statWord(stat)]),
  ];
  return (
    <fieldset class="db-owner" disabled={busy}>
      <h3>{say(at === null ? 'db.perk.new' : 'db.perk.instead')}</h3>
      {told.length === 0 ? null : (
        <p class="db-told" aria-live="polite">
          {told.join(' · ')}
        </p>
      )}
      <NextKeys draft={draft} touch={touch} finish={finish} />
      {told.length === 0 ? null : (
        <div class="row">
          <button type="button" class="button" onClick={() => touch(EMPTY)}>
            {say('db.tile.restart')}
          </button>
        </div>
      )}
    </fieldset>
  );
}

function NextKeys({ draft, touch, finish }: Omit<KeysProps, 'busy'>) {
  const { level, kind, stat } = draft;
  if (level === null) {
    return <Keys title={say('db.perk.level')} values={LEVELS} text={String} choose={(one) => touch({ level: one })} />;
  }
  if (kind === null) {
    const choose = (one: BoxPerk['kind']): void =>
      one === 'economy' ? finish(level, { kind: one }) : touch({ kind: one });
    return (
      <Keys
        title={say('db.perk.which')}
        values={KINDS}
        text={(one) => say(`db.perk.kind.${one}`)}
        choose={choose}
        square={false}
      />
    );
  }
  if (stat === null) {
    return (
      <Keys
        title={say('db.perk.stat')}
        values={STATS}
        text={statWord}
        choose={(one) => touch({ stat: one })}
        square={false}
      />
    );
  }
  if (kind === 'mastery') {
    return (
      <Keys
        title={say('db.perk.amount')}
        values={AMOUNTS}
        text={(amount) => `+${amount}`}
        choose={(amount) => finish(level, { kind, stat, amount })}
      />
    );
  }
  return (
    <Keys
      title={say('db.perk.where')}
      values={[false, true]}
      text={(checks) => say(checks ? 'db.perk.checksToo' : 'db.perk.fightsOnly')}
      choose={(checks) => finish(level, checks ? { kind, stat, checks } : { kind, stat })}
      square={false}
    />
  );
}
