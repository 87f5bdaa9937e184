import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { KeptList } from './box-list.js';
import { boughtId, useBox } from './box-source.js';
import { NameField, SaveButton, Step } from './fields.js';
import { type Environment, own } from './game.js';
import { environmentText, named } from './words.js';

const COSTS = ['physicalCost', 'magicCost', 'dodgeCost'] as const;

/** What is being entered of an event; `id` where one that is kept is changed. */
interface Draft {
  readonly id: string | null;
  readonly event: Environment;
}

const EMPTY: Draft = { id: null, event: { cost: 4, physicalCost: 0, magicCost: 0, dodgeCost: 0 } };

/** The environment events of the box, and a new one: what costs more or less PA in its room (G12). */
export function EventEntry({ room }: { room: Room }) {
  const deed = useDeed(room);
  const box = useBox(room);
  const name = useSignal('');
  const draft = useSignal<Draft>(EMPTY);
  const { id, event } = draft.value;
  const put = (part: Partial<Environment>): void => {
    // Words that told the old numbers would be wrong now.
    const { text: _, ...values } = event;
    draft.value = { id, event: { ...values, ...part } };
  };
  const save = (submitted: Event): void => {
    submitted.preventDefault();
    const title = name.value.trim();
    const names = named(event.name, '') === title ? event.name : title;
    const environments = { [id ?? boughtId(box.value, title)]: { ...event, name: names } };
    void deed.run('choose', { seat: 'gm', action: 'box', environments }).then((answer) => {
      if (answer.kind !== 'ack') return;
      name.value = '';
      draft.value = EMPTY;
    });
  };
  const change = (kept: string): void => {
    const was = own(box.value?.environments, kept);
    if (was === undefined) return;
    draft.value = { id: kept, event: { ...EMPTY.event, ...was } };
    name.value = named(was.name, kept);
  };
  const kept = Object.entries(box.value?.environments ?? {});
  return (
    <>
      <KeptList
        room={room}
        kind="environments"
        kept={kept.map(([one, kind]) => ({ id: one, title: named(kind.name, one), text: environmentText(kind) }))}
        change={change}
      />
      <form class="db-entry" onSubmit={save}>
        <NameField label={say('db.event.name')} text={name} required />
        <div class="db-steps">
          <Step label={say('db.cost')} value={event.cost} low={0} high={100} set={(cost) => put({ cost })} />
          {COSTS.map((field) => (
            <Step
              key={field}
              label={say(`db.event.${field}`)}
              value={event[field] ?? 0}
              low={-5}
              high={20}
              set={(value) => put({ [field]: value })}
            />
          ))}
        </div>
        <SaveButton text={say(id === null ? 'db.event.keep' : 'app.save')} busy={deed.busy} name={name} />
        {deed.note}
      </form>
    </>
  );
}
