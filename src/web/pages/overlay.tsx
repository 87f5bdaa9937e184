import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { Awaited } from '../../wire/envelope.js';
import type { DieView } from '../../wire/view.js';
import { clockTime, say } from '../language.js';
import { RollCard, RollingCard } from '../overlay/card.js';
import { Counters } from '../overlay/counters.js';
import { answerFrame } from '../overlay/frame.js';
import { type Parameters, parametersOf } from '../overlay/parameters.js';
import { openSound, type Sound } from '../overlay/sound.js';
import { type Scene, Stage } from '../overlay/stage.js';
import { type Room, useRoom } from '../room.js';
import { awaitedSentences, isRoll } from '../wording.js';

/** Sentences of who is awaited: the picture is not the place for more. */
const MOST_SENTENCES = 2;
/** Dice shown while they roll. */
const MOST_ROLLING = 4;
/** Games without turns: anybody may roll at any time. */
const WITHOUT_TURNS: readonly string[] = ['free', 'external'];

/** Over the picture: transparent, made for 1920 × 1080, right after any restart and any correction. */
export function OverlayPage({ table }: { table: string }) {
  const parameters = useMemo(() => parametersOf(location.search), []);
  const room = useRoom(table, 'overlay', undefined, parameters.delayMs);
  const { stage, sound } = useMemo(() => {
    const sound: Sound | null = parameters.sound ? openSound(table) : null;
    return { stage: new Stage(room, parameters, () => sound?.play()), sound };
  }, [room, parameters, table]);
  useLayoutEffect(() => document.documentElement.style.setProperty('--scale', String(parameters.scale)), [parameters]);
  useEffect(() => stage.follow(), [stage]);
  useEffect(() => answerFrame(), []);
  useEffect(() => () => sound?.close(), [sound]);
  const { theme, corner, show } = parameters;
  if (room.orders.value.hidden === true) return <div class="overlay" data-hidden="true" />;
  const scene = stage.scene.value;
  return (
    <div class="overlay" data-theme={theme} data-corner={corner}>
      <div class="overlay-main">
        {show.has('rolls') ? <Rolls room={room} stage={stage} parameters={parameters} /> : null}
        {scene !== null && show.has('awaited') ? <AwaitedLine scene={scene} seats={parameters.seats} /> : null}
      </div>
      {scene !== null && show.has('counters') ? <Counters view={scene.view} seats={parameters.seats} /> : null}
      <Stale room={room} />
    </div>
  );
}

function Rolls({ room, stage, parameters }: { room: Room; stage: Stage; parameters: Parameters }) {
  const view = room.view.value;
  const cards = stage.cards.value;
  const rolling = rollingDice(room, stage, parameters);
  return (
    <ol class="overlay-rolls">
      {view === null ? null : rolling.map((die) => <RollingCard key={`rolling ${die.id}`} view={view} die={die} />)}
      {cards.map((card, i) => (
        <RollCard key={card.roll.id} view={view} card={card} newest={i === 0} />
      ))}
    </ol>
  );
}

/** Dice that may be seen rolling: where rolls are awaited, only those of an awaited seat, so that no secret roll shows. */
function rollingDice(room: Room, stage: Stage, { seats }: Parameters): readonly DieView[] {
  const view = room.view.value;
  if (view === null || room.orders.value.paused !== undefined) return [];
  const turns = !WITHOUT_TURNS.includes(view.game.id);
  const awaited = new Set(room.awaited.value.filter(isRoll).map((call) => call.seat));
  const rolling = new Set(stage.rolling.value);
  return (view.dice ?? [])
    .filter((die) => {
      const public_ = die.seat !== null && die.seat !== 'gm' && (!turns || awaited.has(die.seat));
      return rolling.has(die.id) && die.duty === 'rolls' && public_ && (seats.size === 0 || seats.has(die.seat ?? ''));
    })
    .slice(0, MOST_ROLLING);
}

function AwaitedLine({ scene, seats }: { scene: Scene; seats: ReadonlySet<string> }) {
  const concerns = (call: Awaited): boolean => seats.size === 0 || call.seat === null || seats.has(call.seat);
  const sentences = awaitedSentences(scene.view, scene.awaited.filter(concerns)).slice(0, MOST_SENTENCES);
  if (sentences.length === 0) return null;
  return (
    <div class="overlay-awaited">
      {sentences.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function Stale({ room }: { room: Room }) {
  const link = room.link.value;
  const heard = room.heard.value;
  if (link === 'live' || (link === 'connecting' && heard === null)) return null;
  const text = heard === null ? say('link.lostNow') : say('overlay.stale', { time: clockTime(heard) });
  return (
    <p class="overlay-stale">
      {link === 'token' || link === 'not_yours' ? say('link.token') : link === 'no_table' ? say('link.noTable') : text}
    </p>
  );
}
