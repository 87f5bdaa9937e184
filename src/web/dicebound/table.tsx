import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { DieFace } from '../parts/die.js';
import { Sign, seatIndex } from '../parts/sign.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { type DiceboundState, type Hero, heroOf, type Monster, own, playsDicebound, readDicebound } from './game.js';
import { Happened } from './happened.js';
import { AttackLine, CheckLine, HeldLines, LevelUp } from './news.js';
import { turnSentence } from './turning.js';
import { environmentText, pawnName, phaseWord, shortName, trapText } from './words.js';

/** The table of Dicebound for everybody: the order of the fight, who is hurt how much, what is open. */
export function DiceboundTable({ room, aside = false }: { room: Room; aside?: boolean }) {
  const view = room.view.value;
  if (!playsDicebound(view)) return null;
  const state = readDicebound(view);
  return (
    <section class={aside ? 'card db-table' : 'card db-table db-table-wide'} aria-label="Dicebound">
      <header class="db-head">
        <h2>{heading(state)}</h2>
        {state.mode === 'arena' ? null : <Experience state={state} />}
      </header>
      {state.over ? <p class="db-end">{ending(view, state)}</p> : null}
      {aside ? null : <Happened room={room} />}
      <LevelUp view={view} state={state} />
      <RoomLine state={state} />
      <AttackLine view={view} state={state} />
      <CheckLine view={view} state={state} />
      <HeldLines view={view} state={state} />
      <Fighters view={view} state={state} calls={room.awaited.value} />
      {aside ? null : <Late view={view} calls={room.awaited.value} />}
    </section>
  );
}

function heading(state: DiceboundState): string {
  if (state.over) return say('game.over');
  if (state.round > 0) return say('db.round', { n: state.round });
  return state.phase === 'camp' && state.room !== null ? say('db.exploring') : phaseWord(state.phase);
}

function ending(view: TableView, { winner }: DiceboundState): string {
  return winner === null ? say('db.storyEnd') : say('dt.winner', { name: nameOf(view, winner) });
}

function Experience({ state }: { state: DiceboundState }) {
  const { have, next } = state.xp;
  const words = next === null ? say('db.xpLast') : say('db.xp', { have, next });
  return (
    <div class="db-xp">
      <span class="chip">{say('db.level', { n: state.level })}</span>
      <span class="quiet">{words}</span>
      {next === null ? null : <progress max={next} value={have} aria-label={words} />}
    </div>
  );
}

function RoomLine({ state }: { state: DiceboundState }) {
  const { room, box } = state;
  if (room === null) return null;
  const weather = room.environments.map((id) => {
    const kind = own(box.environments, id);
    const text = kind === undefined ? '' : environmentText(kind);
    return text === '' ? shortName(kind?.name, id) : `${shortName(kind?.name, id)}: ${text}`;
  });
  const traps = Object.values(room.traps).flatMap(({ kind, done }) => {
    const trap = own(box.traps, kind);
    return trap === undefined || done ? [] : [`${shortName(trap.name, kind)}: ${trapText(trap)}`];
  });
  return (
    <div class="db-room">
      <p>
        <strong>{say(room.ambush ? 'db.ambush' : 'db.room', { n: room.n })}</strong>
      </p>
      {[...weather, ...traps].map((text) => (
        <p key={text} class="db-weather">
          {text}
        </p>
      ))}
    </div>
  );
}

/** Trackers of which everybody has heard that they do not follow (D3). */
function Late({ view, calls }: { view: TableView; calls: readonly Awaited[] }) {
  const turns = calls.filter((call) => call.face !== undefined);
  if (turns.length === 0) return null;
  return (
    <section class="db-late">
      <h3>{say('db.late')}</h3>
      <ul>
        {turns.map((call) => (
          <li key={call.id}>{turnSentence(view, call, true)}</li>
        ))}
      </ul>
    </section>
  );
}

interface FightersProps {
  readonly view: TableView;
  readonly state: DiceboundState;
  readonly calls: readonly Awaited[];
}

/** Everybody who fights, in the order of initiative; out of a fight those who are there. */
function Fighters({ view, state, calls }: FightersProps) {
  const known = [...Object.keys(state.seats), ...Object.keys(state.monsters)];
  const ordered = state.order.filter((id) => known.includes(id));
  const rest = known.filter((id) => !ordered.includes(id));
  const awaited = new Set(calls.flatMap((call) => (call.what === 'initiative' ? [call.for ?? call.seat] : [])));
  return (
    <ol class={ordered.length > 0 ? 'db-fighters db-fighters-ordered' : 'db-fighters'} aria-label={say('db.order')}>
      {[...ordered, ...rest].map((id) => {
        const hero = heroOf(state, id);
        const monster = own(state.monsters, id);
        const classes = [
          'db-fighter',
          state.turn === id ? 'db-fighter-now' : '',
          state.attack?.target === id ? 'db-fighter-target' : '',
          hero?.ko === true || hero?.present === false ? 'db-fighter-out' : '',
        ];
        return (
          <li key={id} class={classes.filter((one) => one !== '').join(' ')} data-fighter={id}>
            {hero === undefined ? null : <HeroLine view={view} id={id} hero={hero} />}
            {monster === undefined ? null : <MonsterLine view={view} id={id} monster={monster} />}
            <span class="db-fighter-chips">
              {state.turn === id ? <span class="chip chip-now">{say('dt.now')}</span> : null}
              {state.attack?.target === id ? <span class="chip">{say('db.target')}</span> : null}
              {awaited.has(id) ? <span class="chip">{say('purpose.initiative')}</span> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function HeroLine({ view, id, hero }: { view: TableView; id: string; hero: Hero }) {
  const name = nameOf(view, id);
  return (
    <>
      <a class="db-fighter-name" href={`/board/${tableOf()}/${id}`}>
        <Sign index={seatIndex(view, id)} name={name} size={34} />
        <span>{name}</span>
      </a>
      {hero.present ? (
        <span class="db-values">
          {hero.ko ? <span class="chip db-ko">{say('db.ko')}</span> : <PvBar pv={hero.pv} full={20} />}
          <PaPips pa={hero.pa} />
        </span>
      ) : (
        <span class="chip">{say(hero.attendance === 'gone' ? 'db.gone' : 'db.absent')}</span>
      )}
    </>
  );
}

/** Boards of the same table are one step away from any of its pages. */
const tableOf = (): string => location.pathname.split('/')[2] ?? '';

function MonsterLine({ view, id, monster }: { view: TableView; id: string; monster: Monster }) {
  return (
    <>
      <span class="db-fighter-name">
        {monster.pawn === undefined ? (
          <Sign index={-1} name="" size={34} />
        ) : (
          <DieFace type={monster.pawn} text="" size={34} />
        )}
        <span>
          {nameOf(view, id)}
          {monster.pawn === undefined ? null : (
            <span class="quiet"> {say('db.pawn', { die: pawnName(monster.pawn) })}</span>
          )}
        </span>
      </span>
      <span class="db-values">
        {monster.pv === undefined ? (
          <span class={`chip db-band db-band-${monster.band}`}>{say(`db.band.${monster.band}`)}</span>
        ) : (
          <>
            <span class={`chip db-band db-band-${monster.band}`}>
              {say('counter.short.pv')} {monster.pv}
            </span>
            <PaPips pa={monster.pa ?? 0} />
          </>
        )}
      </span>
    </>
  );
}

/** Hit points as a bar and a number. */
export function PvBar({ pv, full }: { pv: number; full: number }) {
  return (
    <span class="db-pv">
      <span class="db-short">{say('counter.short.pv')}</span> <strong>{pv}</strong>
      <meter
        class="db-pv-bar"
        min={0}
        max={full}
        low={full / 4}
        high={full / 2}
        optimum={full}
        value={pv}
        aria-hidden="true"
      />
    </span>
  );
}

/** Action points as dots, as they are printed on the tiles. */
export function PaPips({ pa }: { pa: number }) {
  const dots = Math.min(pa, 6);
  return (
    <span class="db-pa">
      <span class="db-short">{say('counter.short.pa')}</span> <strong>{pa}</strong>
      <span class="db-dots" aria-hidden="true">
        {'●'.repeat(dots)}
        {'○'.repeat(6 - dots)}
      </span>
    </span>
  );
}
