import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { KeptList } from './box-list.js';
import { boughtId, useBox } from './box-source.js';
import { Keys, NameField, SaveButton, Step } from './fields.js';
import { own, type Trap } from './game.js';
import { dieName, named, trapText } from './words.js';

const DICE = [4, 6, 8, 10, 12, 20] as const;
const WHOM = ['one', 'all'] as const;

/** What is being entered of a trap; `id` where one that is kept is changed. */
interface Draft {
  readonly id: string | null;
  readonly trap: Required<Omit<Trap, 'name'>>;
}

const EMPTY: Draft = {
  id: null,
  trap: { cost: 3, who: 'one', pa: 2, damage: { dice: 1, sides: 6, flat: 0 }, defence: false },
};

/** The traps of the box, and a new one: whom it hits, what it costs, whether Difesa helps (G11). */
export function TrapEntry({ room }: { room: Room }) {
  const deed = useDeed(room);
  const box = useBox(room);
  const name = useSignal('');
  const draft = useSignal<Draft>(EMPTY);
  const { id, trap } = draft.value;
  const put = (part: Partial<Draft['trap']>): void => {
    draft.value = { id, trap: { ...trap, ...part } };
  };
  const save = (event: Event): void => {
    event.preventDefault();
    const title = name.value.trim();
    const was = own(box.value?.traps, id)?.name;
    const entered = { ...trap, name: named(was, '') === title ? was : title };
    const traps = { [id ?? boughtId(box.value, title)]: entered };
    void deed.run('choose', { seat: 'gm', action: 'box', traps }).then((answer) => {
      if (answer.kind !== 'ack') return;
      name.value = '';
      draft.value = EMPTY;
    });
  };
  const change = (kept: string): void => {
    const was = own(box.value?.traps, kept);
    if (was === undefined) return;
    const { name: names, ...values } = was;
    draft.value = { id: kept, trap: { ...EMPTY.trap, pa: 0, ...values } };
    name.value = named(names, kept);
  };
  const kept = Object.entries(box.value?.traps ?? {});
  return (
    <>
      <KeptList
        room={room}
        kind="traps"
        kept={kept.map(([one, kind]) => ({ id: one, title: named(kind.name, one), text: trapText(kind) }))}
        change={change}
      />
      <form class="db-entry" onSubmit={save}>
        <NameField label={say('db.trap.name')} text={name} required />
        <TrapFields trap={trap} put={put} />
        <SaveButton text={say(id === null ? 'db.trap.keep' : 'app.save')} busy={deed.busy} name={name} />
        {deed.note}
      </form>
    </>
  );
}

interface FieldsProps {
  readonly trap: Draft['trap'];
  readonly put: (part: Partial<Draft['trap']>) => void;
}

function TrapFields({ trap, put }: FieldsProps) {
  const { damage } = trap;
  const hurt = (part: Partial<typeof damage>): void => put({ damage: { ...damage, ...part } });
  return (
    <>
      <Keys
        title={say('db.trap.whom')}
        values={WHOM}
        text={(who) => say(`db.trap.${who}`)}
        chosen={(who) => trap.who === who}
        choose={(who) => put({ who })}
        square={false}
      />
      <div class="db-steps">
        <Step label={say('db.cost')} value={trap.cost} low={0} high={100} set={(cost) => put({ cost })} />
        <Step label={say('db.trap.pa')} value={trap.pa} low={0} high={20} set={(pa) => put({ pa })} />
        <Step label={say('db.trap.dice')} value={damage.dice} low={0} high={20} set={(dice) => hurt({ dice })} />
        <Step label={say('db.trap.flat')} value={damage.flat} low={0} high={100} set={(flat) => hurt({ flat })} />
      </div>
      <Keys
        title={say('db.trap.die')}
        values={DICE}
        text={dieName}
        chosen={(sides) => damage.sides === sides}
        choose={(sides) => hurt({ sides })}
      />
      <Keys
        title={say('db.trap.defended')}
        values={[false, true]}
        text={(yes) => say(yes ? 'db.yes' : 'db.no')}
        chosen={(yes) => trap.defence === yes}
        choose={(defence) => put({ defence })}
        square={false}
      />
    </>
  );
}
