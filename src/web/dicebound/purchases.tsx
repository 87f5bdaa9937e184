import { type Signal, useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { NewMonster } from './box-monster.js';
import { useBox } from './box-source.js';
import type { Box, DiceboundState, Forecast, Names } from './game.js';
import { environmentText, kindText, named, trapText } from './words.js';

/** One thing the GM may buy. */
interface Offer {
  readonly id: string;
  readonly name: string;
  readonly cost: number;
  readonly text: string;
}

const SHELVES = ['monsters', 'traps', 'environments'] as const;
type Shelf = (typeof SHELVES)[number];

function offersOf(box: Box, shelf: Shelf): readonly Offer[] {
  const offers: Offer[] = [];
  const add = (id: string, kind: { readonly name?: Names; readonly cost: number }, text: string): void => {
    offers.push({ id, name: named(kind.name, id), cost: kind.cost, text });
  };
  if (shelf === 'monsters') for (const [id, kind] of Object.entries(box.monsters ?? {})) add(id, kind, kindText(kind));
  if (shelf === 'traps') for (const [id, kind] of Object.entries(box.traps ?? {})) add(id, kind, trapText(kind));
  if (shelf === 'environments')
    for (const [id, kind] of Object.entries(box.environments ?? {})) add(id, kind, environmentText(kind));
  return offers.sort((a, b) => a.cost - b.cost || a.name.localeCompare(b.name));
}

/** Buys the next room within the threat budget and opens it (G1, G2). */
export function Purchases({ room, state, call }: { room: Room; state: DiceboundState; call: Awaited }) {
  const deed = useDeed(room);
  const box = useBox(room);
  const basket = useSignal<readonly string[]>([]);
  const shelf = useSignal<Shelf>('monsters');
  if (box.value === null) return null;
  const shown = offersOf(box.value, shelf.value);
  const all = new Map(SHELVES.flatMap((one) => offersOf(box.value ?? EMPTY, one).map((offer) => [offer.id, offer])));
  const spent = basket.value.reduce((sum, id) => sum + (all.get(id)?.cost ?? 0), 0);
  const left = state.budget.total - spent;
  const put = (id: string): void => {
    basket.value = [...basket.value, id];
  };
  const take = (id: string): void => {
    const at = basket.value.lastIndexOf(id);
    basket.value = basket.value.filter((_, index) => index !== at);
  };
  const open = (): void => {
    void deed.run('choose', { seat: 'gm', call: call.id, action: 'openRoom', buy: basket.value }).then((answer) => {
      if (answer.kind === 'ack') basket.value = [];
    });
  };
  return (
    <section class="db-shop">
      <h3>{say('db.nextRoom')}</h3>
      <Budget total={state.budget.total} spent={spent} />
      {state.forecast == null ? null : <p class="quiet">{forecastText(state.forecast)}</p>}
      <ShelfTabs shelf={shelf} />
      <ul class="db-offers">
        {shown.map((offer) => (
          <OfferLine
            key={offer.id}
            offer={offer}
            count={basket.value.filter((id) => id === offer.id).length}
            dear={offer.cost > left}
            put={put}
            take={take}
          />
        ))}
      </ul>
      {shelf.value === 'monsters' ? (
        <details class="more">
          <summary>{say('db.monster.new')}</summary>
          <NewMonster room={room} />
        </details>
      ) : null}
      <button type="button" class="button button-big button-main" disabled={deed.busy} onClick={open}>
        {basket.value.length === 0 ? say('db.openEmpty') : say('db.openRoom', { n: basket.value.length, spent })}
      </button>
      {deed.note}
    </section>
  );
}

function ShelfTabs({ shelf }: { shelf: Signal<Shelf> }) {
  return (
    <fieldset class="db-tabs" aria-label={say('db.nextRoom')}>
      {SHELVES.map((one) => (
        <button
          key={one}
          type="button"
          class="button"
          aria-pressed={shelf.value === one}
          onClick={() => {
            shelf.value = one;
          }}
        >
          {say(`db.shelf.${one}`)}
        </button>
      ))}
    </fieldset>
  );
}

const EMPTY: Box = { classes: {}, tiles: {} };

const PERCENT = 100;

/** What a room for the whole budget usually costs a fresh party (npm run balance). */
const forecastText = ({ winRate, pvLost }: Forecast): string =>
  say('db.forecast', { percent: Math.round(winRate * PERCENT), pv: Math.round(pvLost) });

function Budget({ total, spent }: { total: number; spent: number }) {
  const words = say('db.budget', { spent, total });
  return (
    <p class="db-budget">
      <span>{words}</span>
      <meter min={0} max={Math.max(1, total)} high={total * 0.9} optimum={0} value={spent} aria-label={words} />
    </p>
  );
}

interface OfferProps {
  readonly offer: Offer;
  readonly count: number;
  readonly dear: boolean;
  readonly put: (id: string) => void;
  readonly take: (id: string) => void;
}

function OfferLine({ offer, count, dear, put, take }: OfferProps) {
  return (
    <li class={count > 0 ? 'db-offer db-offer-taken' : 'db-offer'} data-offer={offer.id}>
      <span class="db-offer-cost" title={say('db.cost')}>
        {offer.cost}
      </span>
      <span class="db-offer-words">
        <strong>{offer.name}</strong>
        <span class="quiet">{offer.text}</span>
      </span>
      <span class="db-offer-count">
        <button
          type="button"
          class="button db-key"
          aria-label={say('db.less', { name: offer.name })}
          disabled={count === 0}
          onClick={() => take(offer.id)}
        >
          −
        </button>
        <span aria-live="polite">{count}</span>
        <button
          type="button"
          class="button db-key"
          aria-label={say('db.more', { name: offer.name })}
          disabled={dear}
          onClick={() => put(offer.id)}
        >
          +
        </button>
      </span>
    </li>
  );
}
