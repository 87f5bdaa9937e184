import type { ComponentChildren } from 'preact';
import type { RollWire } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { language, say } from '../language.js';
import { faceWord, minus, signed } from '../magic/words.js';
import type { Room } from '../room.js';
import { dieWord, modifierWord, purposeWord, throwerName, verdictLine } from '../wording.js';
import { DieFace } from './die.js';
import { borneBy } from './die-words.js';
import { Sign, seatIndex } from './sign.js';

type RolledDie = RollWire['dice'][number];

/** Why something counts or not: the rule code, small, behind one word; what was expected only where it can be read. */
export function Why({ rule, expected: told }: { rule?: string | undefined; expected?: string | undefined }) {
  // What the rules expected is told in English, as programs read it; in Italian the sentence of the code says it.
  const expected = language.value === 'en' ? told : undefined;
  if ((rule === undefined || rule === '') && expected === undefined) return null;
  return (
    <details class="why">
      <summary>{say('app.why')}</summary>
      {rule === undefined || rule === '' ? null : (
        <span>
          {say('app.rule')} <code>{rule}</code>
        </span>
      )}
      {expected === undefined ? null : <span>{say('app.expected', { what: expected })}</span>}
    </details>
  );
}

/** Where numbers come from; a digital, typed or fake one is never called a real die. */
export function Sources({ dice }: { dice: readonly RolledDie[] }) {
  const sources = new Set(dice.map((die) => (die.fake === true ? 'fake' : die.source)));
  return (
    <>
      {[...sources].map((source) => (
        <span key={source} class={`badge badge-${source}`}>
          {say(`source.${source}`)}
        </span>
      ))}
      {dice.some((die) => die.quality === 'unverified') ? <span class="badge">{say('roll.unverified')}</span> : null}
    </>
  );
}

/** Where a roll's numbers come from, and what became of it since. */
export function SourceBadges({ roll }: { roll: RollWire }) {
  return (
    <>
      <Sources dice={roll.dice} />
      {roll.standing === 'corrected' ? <span class="badge badge-corrected">{say('roll.corrected')}</span> : null}
      {roll.late === undefined ? null : <span class="badge">{say('roll.late')}</span>}
      {roll.doubles === true ? <span class="badge">{say('roll.doubles')}</span> : null}
    </>
  );
}

/** The dice of a roll, in the order in which they lay. */
export function RolledDice({ view, roll, size }: { view: TableView | null; roll: RollWire; size: number }) {
  return (
    <div class="rolled" role="img" aria-label={say('roll.label', { dice: spoken(roll) })}>
      {roll.dice.map((die, i) => (
        <figure key={`${die.die}-${i}`} class="rolled-die">
          <DieFace
            type={die.type}
            text={String(die.natural)}
            struck={die.status !== 'kept' || roll.standing === 'void'}
            tone={toneOf(roll, die)}
            size={size}
          />
          {typeof die.natural === 'string' ? <figcaption>{faceWord(die.natural)}</figcaption> : null}
          <Borne name={borneBy(view, die)} />
          {die.thrown === undefined ? null : (
            <figcaption>{`${dieWord(roll.game, die.thrown.type)}: ${die.thrown.face}`}</figcaption>
          )}
          {die.status === 'kept' ? null : (
            <figcaption>{say(die.status === 'ignored' ? 'roll.ignored' : 'roll.rerolled')}</figcaption>
          )}
        </figure>
      ))}
    </div>
  );
}

/** The name of a face that bears no number. */
function Borne({ name }: { name: string | undefined }) {
  return name === undefined ? null : <figcaption class="borne">{name}</figcaption>;
}

function toneOf(roll: RollWire, die: RolledDie): 'plain' | 'quiet' | 'best' | 'worst' {
  if (roll.verdict !== 'accepted' || roll.standing === 'void' || die.status !== 'kept') return 'quiet';
  if (die.type !== 'd20') return 'plain';
  return die.natural === 20 ? 'best' : die.natural === 1 ? 'worst' : 'plain';
}

function spoken(roll: RollWire): string {
  return roll.dice
    .map((die) => {
      const word = `${dieWord(roll.game, die.type)}: ${faceWord(die.natural)}`;
      if (die.status === 'kept') return word;
      return `${word} (${say(die.status === 'ignored' ? 'roll.ignored' : 'roll.rerolled')})`;
    })
    .join(', ');
}

/** Natural result, modifiers, result and total, each apart; nothing where they say nothing new. */
function Numbers({ roll }: { roll: RollWire }) {
  const parts: string[] = [];
  if (roll.natural !== undefined) parts.push(say('roll.natural', { n: roll.natural }));
  for (const { source, amount } of roll.modifiers) {
    parts.push(say('roll.modifier', { source: modifierWord(source), amount: signed(amount) }));
  }
  if (roll.result !== undefined && roll.result !== roll.natural)
    parts.push(say('roll.result', { n: minus(roll.result) }));
  if (roll.total !== undefined && roll.total !== roll.result) parts.push(say('roll.total', { n: minus(roll.total) }));
  if (roll.row !== undefined) parts.push(say('roll.row', { row: roll.row.replace('-', '–') }));
  return parts.length === 0 ? null : <p class="roll-numbers">{parts.join(' · ')}</p>;
}

interface RollProps {
  readonly view: TableView | null;
  readonly roll: RollWire;
  readonly size?: number;
  readonly newest?: boolean;
  /** A small button among the badges. */
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** One roll: who, what for, the dice, what became of it. */
export function Roll({ view, roll, size = 52, newest = false, action, children }: RollProps) {
  const who = throwerName(view, roll);
  const line = verdictLine(roll);
  const quiet = roll.verdict !== 'accepted' || roll.standing === 'void';
  return (
    <li
      class={`roll ${quiet ? 'roll-quiet' : ''} ${newest ? 'roll-newest' : ''} roll-${roll.verdict}`}
      data-roll={roll.id}
    >
      <RolledDice view={view} roll={roll} size={newest ? size * 1.5 : size} />
      <div class="roll-words">
        <p class="roll-who">
          <Sign index={seatIndex(view, roll.seat)} name={who} size={24} /> <strong>{who}</strong>
          {roll.purpose === '' ? null : <span class="roll-purpose"> {purposeWord(roll.purpose)}</span>}
        </p>
        <Numbers roll={roll} />
        {line === '' ? null : <p class="roll-verdict">{line}</p>}
        <div class="roll-badges">
          <SourceBadges roll={roll} />
          <Why rule={roll.rule} />
          {action}
        </div>
        {children}
      </div>
    </li>
  );
}

interface RollsProps {
  readonly room: Room;
  /** How many are shown, at most. */
  readonly most?: number;
  readonly action?: (roll: RollWire) => ComponentChildren;
}

/** The last rolls, the newest first and largest. */
export function Rolls({ room, most = 20, action }: RollsProps) {
  const rolls = room.rolls.value.slice(0, most);
  if (rolls.length === 0) return <p class="quiet">{say('rolls.none')}</p>;
  return (
    <ol class="rolls" aria-live="polite">
      {rolls.map((roll, i) => (
        <Roll key={roll.id} view={room.view.value} roll={roll} newest={i === 0} action={action?.(roll)} />
      ))}
    </ol>
  );
}
