import { useSignal } from '@preact/signals';
import type { RollWire } from '../../wire/envelope.js';
import type { SeatView, TrackerView } from '../../wire/view.js';
import { DiceboundBoard } from '../dicebound/board.js';
import { playsDicebound } from '../dicebound/game.js';
import { DiceboundNow } from '../dicebound/now.js';
import { Returned } from '../dicebound/returned.js';
import { DiceboundTable } from '../dicebound/table.js';
import { say } from '../language.js';
import { playsMagic } from '../magic/game.js';
import { MagicNow } from '../magic/now.js';
import { MagicTable } from '../magic/table.js';
import { AwaitedNow } from '../parts/awaited.js';
import { ToDo } from '../parts/choices.js';
import { ClaimNow } from '../parts/claim.js';
import { DadoteckTable } from '../parts/dadoteck.js';
import { useDeed } from '../parts/deed.js';
import { Dice } from '../parts/dice.js';
import { Banners, Card, Frame, Standing, tableLinks } from '../parts/frame.js';
import { Claim, Lend } from '../parts/loose.js';
import { Offers } from '../parts/offers.js';
import { Roll } from '../parts/roll.js';
import { Counters, trackerSentence } from '../parts/seats.js';
import { FreeRoll } from '../parts/typed.js';
import { type Room, seatOf, useRoom } from '../room.js';
import { counterWord } from '../wording.js';

/** A player's board: my counters, what I may do now, my rolls. */
export function BoardPage({ table, seat }: { table: string; seat: string }) {
  const room = useRoom(table, 'player', seat);
  const view = room.view.value;
  const mine = seatOf(view, seat);
  return (
    <Frame
      title={mine?.name ?? say('page.board')}
      subtitle={mine === undefined ? (view?.name ?? table) : say('page.board')}
      links={tableLinks(table, 'board')}
      status={<Standing room={room} />}
    >
      <Banners room={room} />
      {room.link.value === 'not_yours' || (view !== null && mine === undefined) ? (
        <p class="card">
          {say('board.noSeat')} <a href={`/board/${table}`}>{say('board.who')}</a>
        </p>
      ) : null}
      {view === null || mine === undefined ? null : <Board room={room} seat={mine} />}
    </Frame>
  );
}

function Board({ room, seat }: { room: Room; seat: SeatView }) {
  const view = room.view.value;
  const turn = new Set(room.awaited.value.map((call) => call.seat ?? ''));
  const dice = (view?.dice ?? []).filter((die) => die.seat === seat.id);
  const trackers = (seat.trackers ?? []).map((tracker) => (
    <Tracker key={tracker.counter} room={room} seat={seat} tracker={tracker} />
  ));
  return (
    <>
      <NowOf room={room} seat={seat} />
      {view?.collecting?.seat !== seat.id ? null : (
        <Card title={say('claim.title')} kind="card-loose">
          <ClaimNow room={room} claim={view.collecting} />
        </Card>
      )}
      <div class="board-grid">
        <Returned room={room} />
        {playsDicebound(view) ? (
          <DiceboundBoard room={room} seat={seat}>
            {trackers}
          </DiceboundBoard>
        ) : Object.keys(seat.counters).length + trackers.length === 0 ? null : (
          <Card title={say('board.counters')} kind="card-mine">
            <Counters seat={seat} view={view} notes={false} />
            {trackers}
          </Card>
        )}
        {playsDicebound(view) ? <DiceboundTable room={room} aside /> : null}
        {playsMagic(view) ? <MagicTable room={room} view={view} hand={seat.id} /> : null}
        <Offers room={room} />
        <MyLoose room={room} seat={seat} />
        {view?.game.id === 'dadoteck' ? <DadoteckTable view={view} turn={turn} /> : null}
        <Card title={say('board.myRolls')} kind="card-rolls">
          <MyRolls room={room} seat={seat} />
        </Card>
        {dice.length === 0 ? null : (
          <Card title={say('board.myDice')}>
            <Dice room={room} dice={dice} gm={false} />
          </Card>
        )}
      </div>
    </>
  );
}

/** What I may do now, as this game's people do it. */
function NowOf({ room, seat }: { room: Room; seat: SeatView }) {
  const view = room.view.value;
  if (playsDicebound(view)) return <DiceboundNow room={room} seat={seat.id} />;
  return playsMagic(view) ? <MagicNow room={room} seat={seat.id} /> : <Now room={room} seat={seat} />;
}

/** What I may do now, on top and large; otherwise who is awaited. */
function Now({ room, seat }: { room: Room; seat: SeatView }) {
  const game = room.view.value?.game.id;
  const calls = room.awaited.value.filter(
    (call) => call.seat === seat.id || call.seat === null || call.seat === 'table',
  );
  const mine = calls.some((call) => call.seat === seat.id);
  if (calls.length > 0) {
    return (
      <section class={mine ? 'now now-mine' : 'now'} aria-label={say('board.now')} aria-live="polite">
        <h2>{mine ? say('awaited.you') : say('board.now')}</h2>
        {mine ? null : <AwaitedNow room={room} />}
        <ToDo room={room} calls={calls} />
      </section>
    );
  }
  return (
    <section class="now" aria-label={say('board.now')}>
      <AwaitedNow room={room} />
      {game === 'free' || game === 'external' ? (
        <div class="card free-card">
          <FreeRoll room={room} seat={seat.id} />
        </div>
      ) : null}
    </section>
  );
}

/** A die that counts for me: what it should show, and the word that it is fine as it lies. */
function Tracker({ room, seat, tracker }: { room: Room; seat: SeatView; tracker: TrackerView }) {
  const deed = useDeed(room);
  const value = useSignal(String(seat.counters[tracker.counter] ?? ''));
  const sentence = trackerSentence(room.view.value, tracker);
  const where = { seat: seat.id, counter: tracker.counter };
  return (
    <div class={sentence === '' ? 'tracker' : 'tracker tracker-wrong'}>
      {sentence === '' ? null : <p>{sentence}</p>}
      {sentence === '' || tracker.face === null ? null : (
        <button type="button" class="button" disabled={deed.busy} onClick={() => deed.run('accept', where)}>
          {say('tracker.accept', { face: String(tracker.face) })}
        </button>
      )}
      <details class="more">
        <summary>
          {counterWord(tracker.counter)}: {say('tracker.value')}
        </summary>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void deed.run('set', { ...where, face: Number(value.value) });
          }}
        >
          <input
            class="number"
            type="number"
            inputMode="numeric"
            required
            aria-label={say('tracker.value')}
            value={value.value}
            onInput={(event) => {
              value.value = event.currentTarget.value;
            }}
          />
          <button type="submit" class="button" disabled={deed.busy || value.value === ''}>
            {say('tracker.set', { face: value.value })}
          </button>
        </form>
      </details>
      {deed.note}
    </div>
  );
}

const isMine = (roll: RollWire, seat: SeatView): boolean => roll.seat === seat.id;

/** Extra rolls that may be mine: of my dice, or of dice that belong to everyone. */
function MyLoose({ room, seat }: { room: Room; seat: SeatView }) {
  const view = room.view.value;
  const loose = [...(view?.loose ?? [])]
    .reverse()
    .filter((roll) => roll.verdict === 'loose' && (roll.seat === null || isMine(roll, seat)));
  if (loose.length === 0) return null;
  return (
    <Card title={say('loose.yours')} kind="card-loose">
      <ul class="rolls">
        {loose.slice(0, 5).map((roll) => (
          <Roll key={roll.id} view={view} roll={roll} size={40}>
            <Claim room={room} roll={roll} />
          </Roll>
        ))}
      </ul>
    </Card>
  );
}

function MyRolls({ room, seat }: { room: Room; seat: SeatView }) {
  const rolls = room.rolls.value.filter((roll) => isMine(roll, seat)).slice(0, 8);
  if (rolls.length === 0) return <p class="quiet">{say('rolls.none')}</p>;
  return (
    <ol class="rolls" aria-live="polite">
      {rolls.map((roll, i) => (
        <Roll key={roll.id} view={room.view.value} roll={roll} newest={i === 0}>
          {i === 0 ? <Lend room={room} roll={roll} /> : null}
        </Roll>
      ))}
    </ol>
  );
}
