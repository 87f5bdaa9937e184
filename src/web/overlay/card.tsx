import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RollWire } from '../../wire/envelope.js';
import type { DieView, TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { DieFace } from '../parts/die.js';
import { RolledDice, SourceBadges } from '../parts/roll.js';
import { Sign, seatClass, seatIndex } from '../parts/sign.js';
import { nameOf, purposeWord, throwerName, verdictLine } from '../wording.js';
import type { Card } from './stage.js';

const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

const LANDING: Keyframe[] = [
  { transform: 'rotate(-500deg) scale(0.55)', opacity: 0.2 },
  { transform: 'rotate(14deg) scale(1.12)', opacity: 1, offset: 0.72 },
  { transform: 'rotate(-4deg) scale(0.98)', offset: 0.88 },
  { transform: 'none' },
];
const LANDING_MS = 650;
/** Between two dice of one throw. */
const STAGGER_MS = 90;
const AGAIN: Keyframe[] = [{ transform: 'none' }, { transform: 'scale(1.07)', offset: 0.3 }, { transform: 'none' }];
const AGAIN_MS = 800;
/** Purposes that say no more than that something was rolled. */
const PLAIN: readonly string[] = ['', 'roll', 'free'];

/** A roll over the picture. It moves in once, when it is news; whatever changes it later changes it where it stands. */
export function RollCard({ view, card, newest }: { view: TableView | null; card: Card; newest: boolean }) {
  const { roll, arrives, again, test } = card;
  const place = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (!arrives || still()) return;
    const dice = place.current?.querySelectorAll('.die') ?? [];
    for (const [i, die] of [...dice].entries()) {
      die.animate(LANDING, { duration: LANDING_MS, delay: i * STAGGER_MS, fill: 'backwards', easing: 'ease-out' });
    }
  }, []);
  useLayoutEffect(() => {
    if (again > 0 && !still()) place.current?.animate(AGAIN, { duration: AGAIN_MS, easing: 'ease-in-out' });
  }, [again]);
  const quiet = roll.verdict !== 'accepted' || roll.standing === 'void';
  const classes = [
    'overlay-card',
    seatClass(seatIndex(view, roll.seat)),
    newest ? 'overlay-newest' : 'overlay-older',
    quiet ? 'overlay-quiet' : '',
    arrives ? 'overlay-arrives' : '',
    roll.standing === 'valid' ? '' : `overlay-${roll.standing}`,
    test ? 'overlay-test' : '',
  ];
  return (
    <li ref={place} class={classes.join(' ')} {...(test ? {} : { 'data-roll': roll.id })}>
      <div class="overlay-body">
        <RolledDice view={view} roll={roll} size={96} />
        <Words view={view} roll={roll} test={test} />
        <Sum roll={roll} />
      </div>
    </li>
  );
}

function Words({ view, roll, test }: { view: TableView | null; roll: RollWire; test: boolean }) {
  const who = test ? say('overlay.test') : throwerName(view, roll);
  const line = test ? say('overlay.testWhat') : verdictLine(roll);
  return (
    <div class="overlay-words">
      <p class="overlay-who">
        <Sign index={seatIndex(view, roll.seat)} name={who} size={32} />
        <span>{who}</span>
      </p>
      {line !== '' ? (
        <p class="overlay-verdict">{line}</p>
      ) : PLAIN.includes(roll.purpose) ? null : (
        <p class="overlay-what">{purposeWord(roll.purpose)}</p>
      )}
      <p class="overlay-badges">
        <SourceBadges roll={roll} />
      </p>
    </div>
  );
}

/** What the dice come to, where they do not say it themselves. */
function Sum({ roll }: { roll: RollWire }) {
  const alone = roll.dice.length === 1;
  const total = roll.total !== undefined && !(alone && roll.total === roll.natural) ? roll.total : undefined;
  const result = roll.result !== undefined && roll.result !== roll.natural ? roll.result : undefined;
  const shown = total ?? result;
  if (shown === undefined) return null;
  return (
    <p class="overlay-sum">
      <small>{say(total === undefined ? 'overlay.result' : 'overlay.total')}</small>
      <strong>{shown}</strong>
    </p>
  );
}

/** A die that rolls right now: whose it is, and no number before it lies still (F136). */
export function RollingCard({ view, die }: { view: TableView; die: DieView }) {
  const who = nameOf(view, die.seat);
  return (
    <li class={`overlay-card overlay-older overlay-rolling ${seatClass(seatIndex(view, die.seat))}`}>
      <div class="overlay-body">
        <DieFace type={die.type ?? 'd20'} text="" size={56} />
        <div class="overlay-words">
          <p class="overlay-who">
            <Sign index={seatIndex(view, die.seat)} name={who} size={32} />
            <span>{who}</span>
          </p>
          <p class="overlay-what">{say('die.signal.tumbling')}</p>
        </div>
      </div>
    </li>
  );
}
