import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { AwaitedRoll } from '../parts/choices.js';
import { type Deed, useDeed } from '../parts/deed.js';
import { Why } from '../parts/roll.js';
import type { Room } from '../room.js';
import { choicePhrase, isChoice, isRoll, nameOf } from '../wording.js';
import { Big, Options } from './buttons.js';
import { type Act, ChangeButtons, TargetButtons } from './change.js';
import { type DiceboundState, type Hero, heroOf, own, readDicebound, valuesOf } from './game.js';
import { AttackLine } from './news.js';
import { DiceToTurn } from './turning.js';
import { paWord, shortName, tileTitle, trapText, weaponWord } from './words.js';

interface ToDoProps {
  readonly room: Room;
  readonly calls: readonly Awaited[];
  /** On the GM's screen: whose each thing is is said with it. */
  readonly asGm?: boolean;
}

/** What may be done now: rolls, answers and dice to turn, as big buttons. Timers run by themselves and are not told. */
export function DiceboundToDo({ room, calls, asGm = false }: ToDoProps) {
  const rolls = calls.filter(isRoll);
  const choices = calls.filter((call) => isChoice(call) && !isBackground(call));
  const turns = calls.filter((call) => call.face !== undefined);
  const asked = choices.some((call) => call.what === 'target');
  return (
    <div class="todo db-todo">
      {choices
        .filter((call) => call.optional !== true)
        .map((call) => (
          <Choice key={call.id} room={room} call={call} asGm={asGm} />
        ))}
      {rolls.map((call) => (
        <Roll key={call.id} room={room} call={call} asGm={asGm} />
      ))}
      {choices
        .filter((call) => call.optional === true)
        .map((call) => (
          <Choice key={call.id} room={room} call={asked ? withoutTargets(call) : call} asGm={asGm} />
        ))}
      {turns.length === 0 ? null : <DiceToTurn room={room} calls={turns} asGm={asGm} />}
    </div>
  );
}

/** A choice without another target: where the target is asked, it is offered there. */
const withoutTargets = (call: Awaited): Awaited =>
  call.actions === undefined ? call : { ...call, actions: call.actions.map((spec) => ({ ...spec, args: {} })) };

/** What the GM does beside the game, and boards out of fights: they have places of their own. */
const isBackground = ({ what }: Awaited): boolean => ['camp', 'fight', 'board', 'chest'].includes(what);

function whose(room: Room, call: Awaited): string {
  const who = call.for ?? call.seat;
  return who === null ? '' : nameOf(room.view.value, who);
}

function Roll({ room, call, asGm }: { room: Room; call: Awaited; asGm: boolean }) {
  return (
    <section class="todo-call">
      {asGm ? <p class="todo-what">{whose(room, call)}</p> : null}
      {call.optional === true ? (
        <p class="quiet">{say(call.what === 'effort' ? 'db.throwEffort' : 'db.throwOpens')}</p>
      ) : null}
      <AwaitedRoll room={room} call={call} asGm={false} />
      {asGm ? null : <Why rule={call.rule} />}
    </section>
  );
}

function Choice({ room, call, asGm }: { room: Room; call: Awaited; asGm: boolean }) {
  const deed = useDeed(room);
  const view = room.view.value;
  if (view === null) return null;
  const state = readDicebound(view);
  const who = call.for ?? call.seat ?? '';
  const actions = (call.actions ?? []).map((spec) => (
    <ActionButtons key={spec.action} view={view} state={state} who={who} spec={spec} act={acting(deed, call)} />
  ));
  return (
    <section class="todo-call" data-call={call.what}>
      <p class="todo-what">
        {asGm ? `${whose(room, call)}: ` : ''}
        {choicePhrase(call, !asGm)}
      </p>
      {call.what === 'dodge' ? <AttackLine view={view} state={state} /> : null}
      {call.what === 'trap' ? <TrapWords state={state} id={call.for ?? ''} /> : null}
      {actions}
      {deed.note}
      {asGm ? null : <Why rule={call.rule} />}
    </section>
  );
}

function TrapWords({ state, id }: { state: DiceboundState; id: string }) {
  const kind = own(state.room?.traps, id)?.kind;
  const trap = own(state.box.traps, kind);
  return trap === undefined ? null : (
    <p>
      {shortName(trap.name, kind ?? id)}: {trapText(trap)}
    </p>
  );
}

const acting =
  (deed: Deed, call: Awaited): Act =>
  (action, fields = {}) => {
    if (!deed.busy) void deed.run('choose', { seat: call.seat, call: call.id, action, ...fields });
  };

interface SpecProps {
  readonly view: TableView;
  readonly state: DiceboundState;
  readonly who: string;
  readonly spec: { readonly action: string; readonly [field: string]: unknown };
  readonly act: Act;
}

function ActionButtons(props: SpecProps) {
  const { spec, act, view, state, who } = props;
  const targets = valuesOf(spec, 'target');
  switch (spec.action) {
    case 'attack':
      return <AttackButtons {...props} />;
    case 'target':
      return <TargetButtons view={view} targets={targets} choose={(target) => act('target', { target })} />;
    case 'change':
      return <ChangeButtons view={view} state={state} who={who} targets={targets} act={act} />;
    case 'withdraw':
      return (
        <Options>
          <Big onClick={() => act('withdraw')}>{say('db.withdraw')}</Big>
        </Options>
      );
    case 'endTurn':
      return (
        <Options>
          <Big onClick={() => act('endTurn')}>{say('db.endTurn')}</Big>
        </Options>
      );
    case 'dodge': {
      const cost = heroOf(state, who)?.costs.dodge ?? 1;
      return (
        <Options>
          <Big main onClick={() => act('dodge', { yes: true })}>
            {say('db.dodgeYes', { pa: paWord(cost) })}
          </Big>
          <Big onClick={() => act('dodge', { yes: false })}>{say('db.dodgeNo')}</Big>
        </Options>
      );
    }
    case 'effort':
      return (
        <Options>
          <Big main onClick={() => act('effort', { yes: true })}>
            {say('db.effortYes', { pa: paWord(1) })}
          </Big>
          <Big onClick={() => act('effort', { yes: false })}>{say('db.effortNo')}</Big>
        </Options>
      );
    case 'trap':
      return (
        <Options>
          <Big onClick={() => act('trap', { pay: 'pa' })}>{say('db.payPa')}</Big>
          <Big onClick={() => act('trap', { pay: 'pv' })}>{say('db.payPv')}</Big>
        </Options>
      );
    default:
      return <TileButtons {...props} />;
  }
}

function AttackButtons({ view, state, who, spec, act }: SpecProps) {
  const costs = heroOf(state, who)?.costs;
  const monster = own(state.monsters, who);
  const weapons = valuesOf(spec, 'weapon') as readonly ('physical' | 'magic' | 'base')[];
  const targets = valuesOf(spec, 'target');
  const price = (weapon: 'physical' | 'magic' | 'base'): number | null | undefined =>
    costs === undefined ? (weapon === 'base' ? null : monster?.attacks?.[weapon]?.cost) : costs[weapon];
  return (
    <>
      {weapons.map((weapon) => (
        <div key={weapon} class="db-weapon">
          <h3>
            {weaponWord(weapon)} ·{' '}
            {monster?.attackDice === undefined
              ? paWord(price(weapon) ?? 0)
              : say('db.hordeLeft', { n: monster.attackDice })}
          </h3>
          <Options>
            {targets.map((target) => (
              <Big key={target} main={weapon !== 'base'} onClick={() => act('attack', { weapon, target })}>
                {say('db.attackWhom', { name: nameOf(view, target) })}
              </Big>
            ))}
          </Options>
        </div>
      ))}
    </>
  );
}

/** The potion on a board with what drinking it costs. */
export function potionTitle(state: DiceboundState, hero: Hero | undefined): string {
  const id = hero?.slots.accessory ?? '';
  return `${tileTitle(id, own(state.box.tiles, id))} · ${paWord(hero?.costs.tiles[id] ?? 0)}`;
}

/** A potion or a star of one's tiles. */
function TileButtons({ view, state, who, spec, act }: SpecProps) {
  const hero = heroOf(state, who);
  if (hero === undefined) return null;
  if (spec.action === 'drink') {
    const to = valuesOf(spec, 'to');
    const potion = potionTitle(state, hero);
    return (
      <Options>
        {to.map((seat) => (
          <Big key={seat} onClick={() => act('drink', seat === who ? {} : { to: seat })}>
            {seat === who
              ? say('db.drink', { tile: potion })
              : say('db.drinkFor', { tile: potion, name: nameOf(view, seat) })}
          </Big>
        ))}
      </Options>
    );
  }
  if (spec.action !== 'star') return null;
  return (
    <Options>
      {valuesOf(spec, 'tile').flatMap((tile) => {
        const data = own(state.box.tiles, tile);
        const aimed = data?.star !== undefined && data.star !== true && (data.star.damage ?? 0) > 0;
        const cost = paWord(hero.costs.tiles[tile] ?? 0);
        const targets = aimed ? foes(state, who) : [null];
        return targets.map((target) => (
          <Big key={`${tile} ${target}`} onClick={() => act('star', target === null ? { tile } : { tile, target })}>
            ★ {tileTitle(tile, data)} · {cost}
            {target === null ? '' : ` → ${nameOf(view, target)}`}
          </Big>
        ));
      })}
    </Options>
  );
}

const foes = (state: DiceboundState, who: string): readonly string[] =>
  state.mode === 'arena'
    ? Object.entries(state.seats).flatMap(([id, hero]) => (id === who || hero.ko ? [] : [id]))
    : Object.keys(state.monsters);
