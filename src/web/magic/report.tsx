import type { TableView } from '../../wire/view.js';
import { listOf, say } from '../language.js';
import { DieFace } from '../parts/die.js';
import { borneBy } from '../parts/die-words.js';
import { Sources } from '../parts/roll.js';
import { Sign, seatIndex } from '../parts/sign.js';
import { dieWord, nameOf } from '../wording.js';
import type { Contest, Report } from './game.js';
import { costWord, faceWord, minus, readingWords, signed, whenWord } from './words.js';

type Die = Report['dice'][number];

/** The last result: who and for what, every die, the row that was hit, what was paid, what triggers. */
export function MagicReport({ view, report, size = 64 }: { view: TableView; report: Report; size?: number }) {
  const title = report.planar === null ? report.name : say('purpose.planar');
  return (
    <div class="mg-report" aria-live="polite">
      <p class="roll-who">
        <Sign index={seatIndex(view, report.seat)} name={nameOf(view, report.seat)} size={26} />
        <strong>{nameOf(view, report.seat)}</strong> <span class="roll-purpose">{title}</span>
        <span class="roll-badges">
          <Sources dice={report.dice} />
        </span>
      </p>
      <Dice view={view} dice={report.dice} size={size} />
      <Numbers report={report} />
      {report.table === undefined ? null : <Rows report={report} rows={report.table} />}
      <Outcome report={report} />
      <Paid view={view} report={report} />
      <Triggers view={view} report={report} />
    </div>
  );
}

function Dice({ view, dice, size }: { view: TableView; dice: readonly Die[]; size: number }) {
  return (
    <div class="rolled">
      {dice.map((die, at) => (
        <figure key={`${die.die}-${at}`} class="rolled-die">
          <DieFace
            type={die.type}
            text={String(die.natural)}
            struck={die.status !== 'kept'}
            tone={die.status === 'kept' ? 'plain' : 'quiet'}
            size={size}
          />
          <figcaption>
            {[
              typeof die.natural === 'string' ? faceWord(die.natural) : '',
              borneBy(view, die) ?? '',
              die.thrown === undefined ? '' : `${dieWord('magic', die.thrown.type)}: ${die.thrown.face}`,
              die.status === 'kept' ? '' : say(die.status === 'ignored' ? 'roll.ignored' : 'roll.rerolled'),
            ]
              .filter((text) => text !== '')
              .join(' · ')}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

/** Natural results, modifiers, results and total, each apart. */
function Numbers({ report: { naturals, results, modifiers, total } }: { report: Report }) {
  const numbers = naturals.filter((natural) => typeof natural === 'number');
  if (numbers.length === 0) return null;
  const parts = [say('mg.natural', { list: numbers.join(', ') })];
  for (const { amount } of modifiers) parts.push(signed(amount));
  if (results.join() !== numbers.join()) parts.push(say('mg.results', { list: results.map(minus).join(', ') }));
  if (total !== null && !(results.length === 1 && results[0] === total))
    parts.push(say('mg.total', { total: minus(total) }));
  return <p class="roll-numbers">{parts.join(' · ')}</p>;
}

/** The results table, the row that was hit marked by more than a colour. */
function Rows({ report: { reading }, rows }: { report: Report; rows: readonly string[] }) {
  const hit = new Set([...(reading.rows ?? []), ...(reading.rowsEach ?? []).flat()]);
  return (
    <ol class="mg-rows">
      {rows.map((row) => (
        <li
          key={row}
          class={hit.has(row) ? 'mg-row mg-row-hit' : 'mg-row'}
          {...(hit.has(row) ? { 'aria-current': 'true' } : {})}
        >
          {hit.has(row) ? '▶ ' : ''}
          {row.replace('-', '–')}
        </li>
      ))}
    </ol>
  );
}

function Outcome({ report: { reading, planar, exchanged } }: { report: Report }) {
  const words = [
    ...(planar === null ? [] : [say(`mg.outcome.${planar.outcome}` as 'mg.outcome.nothing')]),
    ...(planar === null || planar.cost === null ? [] : [say('mg.planarCost', { cost: planar.cost })]),
    ...(exchanged === null ? [] : [say('mg.exchanged', { ...exchanged })]),
    ...readingWords(reading),
  ];
  const sentences = words.map((word) => (word.endsWith('.') ? word : `${word}.`));
  return sentences.length === 0 ? null : <p class="mg-outcome">{sentences.join(' ')}</p>;
}

function Paid({ view, report: { paid } }: { view: TableView; report: Report }) {
  if (paid.length === 0) return null;
  return (
    <ul class="plain-list">
      {paid.map(({ by, source, cost }, at) => (
        <li key={`${source}-${at}`} class="quiet">
          {say('mg.paid', { name: nameOf(view, by), cost: costWord(cost), card: source })}
        </li>
      ))}
    </ul>
  );
}

/** What triggers, for the players to carry out once the table is done (706.3b). */
function Triggers({ view, report: { triggers } }: { view: TableView; report: Report }) {
  if (triggers.length === 0) return null;
  return (
    <>
      <h3>{say('mg.triggers')}</h3>
      <ul class="mg-triggers">
        {triggers.map(({ seat, card, when, times }) => (
          <li key={`${card}-${seat}-${when}`}>
            {say('mg.trigger', { card, name: nameOf(view, seat), when: whenWord(when) })}
            {times === 1 ? null : <strong> {say('mg.times', { times })}</strong>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A contest so far: who has rolled what, and once all have, who has the highest or the lowest. */
export function ContestLine({ view, contest }: { view: TableView; contest: Contest }) {
  const results = contest.results.map(({ seat, result }) => `${nameOf(view, seat)} ${minus(result)}`);
  const best = contest.results.length === 0 ? [] : (contest.selected ?? []).map((seat) => nameOf(view, seat));
  return (
    <p class="mg-contest">
      {say('mg.contest', { name: contest.name })}
      {results.length === 0 ? null : ` · ${results.join(' · ')}`}
      {best.length === 0 ? null : ' · '}
      {best.length === 0 ? null : <strong>{say(`mg.contest.${contest.which}`, { list: listOf(best) })}</strong>}
    </p>
  );
}
