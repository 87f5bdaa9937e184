import { useSignal } from '@preact/signals';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { Card } from '../parts/frame.js';
import { Sign, seatIndex } from '../parts/sign.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { type CardInPlay, readMagic, type StoredOn } from './game.js';
import { ContestLine, MagicReport } from './report.js';

interface PartProps {
  readonly room: Room;
  readonly view: TableView;
}

/** Whose cards and results somebody may move: a seat's own, all of them (GM), or none (the table's screen). */
export type Hand = string | 'gm' | null;

const argsOf = (hand: Hand, owner: string) => (hand === 'gm' ? { seat: 'gm', player: owner } : { seat: owner });

/** The Magic table: the last result on top, then stored results and the cards that matter for rolls. */
export function MagicTable({ room, view, hand }: PartProps & { hand: Hand }) {
  return (
    <div class="gm-column mg-column">
      <LastResult room={room} view={view} />
      <OnTheTable room={room} view={view} hand={hand} />
    </div>
  );
}

/** The last result and the turn: what everybody looks at. */
function LastResult({ room, view }: PartProps) {
  const { turn, active, contest, last, planarCost } = readMagic(view);
  return (
    <Card title={say('mg.turn', { n: turn, name: nameOf(view, active) })} kind="mg-table">
      <p class="quiet">{say('mg.planarHint', { cost: planarCost })}</p>
      {contest === null ? null : <ContestLine view={view} contest={contest} />}
      <h3>{say('mg.result')}</h3>
      {last === null ? (
        <p class="quiet">{say('mg.noResult')}</p>
      ) : (
        <MagicReport view={view} report={last} size={room.door.role === 'spectator' ? 84 : 64} />
      )}
    </Card>
  );
}

/** Cards in play that change or watch rolls, and results stored on permanents. */
function OnTheTable({ room, view, hand }: PartProps & { hand: Hand }) {
  const { inPlay, stored, phase } = readMagic(view);
  return (
    <>
      {stored.length === 0 ? null : (
        <Card title={say('mg.stored')} kind="mg-stored">
          {stored.map((permanent) => (
            <Stored
              key={`${permanent.seat} ${permanent.name}`}
              room={room}
              view={view}
              permanent={permanent}
              hand={phase === 'idle' ? hand : null}
            />
          ))}
        </Card>
      )}
      <Card title={say('mg.inPlay')} kind="mg-in-play">
        {inPlay.length === 0 ? <p class="quiet">{say('mg.inPlay.none')}</p> : null}
        <ul class="mg-cards">
          {inPlay.map((card) => (
            <InPlay key={card.id} room={room} view={view} card={card} hand={hand} />
          ))}
        </ul>
      </Card>
    </>
  );
}

function InPlay({ room, view, card, hand }: PartProps & { card: CardInPlay; hand: Hand }) {
  const deed = useDeed(room);
  const notes = [
    ...(card.target === undefined ? [] : [say('mg.on.seat', { name: nameOf(view, card.target) })]),
    ...(card.counters === undefined ? [] : [say('mg.countersLeft', { n: card.counters })]),
    ...(card.value === undefined ? [] : [String(card.value)]),
    ...(card.used === 0 ? [] : [say('mg.used')]),
  ];
  return (
    <li>
      <Sign index={seatIndex(view, card.seat)} name={nameOf(view, card.seat)} size={24} />
      <span class="mg-card-name">
        <strong>{card.card}</strong> <span class="quiet">{[nameOf(view, card.seat), ...notes].join(' · ')}</span>
      </span>
      {hand === card.seat || hand === 'gm' ? (
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('choose', { ...argsOf(hand, card.seat), action: 'remove', id: card.id })}
        >
          {say('mg.remove')}
        </button>
      ) : null}
      {deed.note}
    </li>
  );
}

/** A permanent's results, each an entry of its own; its owner picks which are thrown again (706.8b). */
function Stored({ room, view, permanent, hand }: PartProps & { permanent: StoredOn; hand: Hand }) {
  const deed = useDeed(room);
  const picked = useSignal<readonly number[]>([]);
  const mine = hand === 'gm' || hand === permanent.seat;
  const toggle = (at: number): void => {
    picked.value = picked.value.includes(at) ? picked.value.filter((one) => one !== at) : [...picked.value, at];
  };
  const forget = (): void => {
    void deed.run('choose', { ...argsOf(hand, permanent.seat), action: 'remove', on: permanent.name });
  };
  const reroll = async (): Promise<void> => {
    const args = { ...argsOf(hand, permanent.seat), action: 'reroll', on: permanent.name, entries: picked.value };
    const answer = await deed.run('choose', args);
    if (answer.kind === 'ack') picked.value = [];
  };
  return (
    <div class="mg-permanent">
      <p>
        <strong>{permanent.name}</strong>{' '}
        <span class="quiet">
          {nameOf(view, permanent.seat)} · {say('mg.same', { n: permanent.maxSame })}
        </span>
      </p>
      <div class="mg-results">
        {permanent.results.map(({ sides, value }, at) => (
          <button
            key={`${at}-${sides}`}
            type="button"
            class="mg-stored-die"
            disabled={!mine}
            aria-pressed={picked.value.includes(at)}
            onClick={() => toggle(at)}
          >
            {value} <small>d{sides}</small>
          </button>
        ))}
      </div>
      {mine ? (
        <>
          <p class="quiet">{say('mg.rerollPick')}</p>
          <div class="row">
            <button type="button" class="button" disabled={deed.busy || picked.value.length === 0} onClick={reroll}>
              {say('mg.rerollStored', { n: picked.value.length })}
            </button>
            <button type="button" class="button" disabled={deed.busy} onClick={forget}>
              {say('mg.forget')}
            </button>
          </div>
        </>
      ) : null}
      {deed.note}
    </div>
  );
}
