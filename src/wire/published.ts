import { z } from 'zod';
import { ackSchema, COMMAND_NAMES, commandArgs, commandFrame, previewSchema, refusedSchema } from './command.js';
import { diceboundBoxSchema } from './dicebound-box.js';
import { awaitedSchema, envelopeSchema, liveSchema, rollSchema, snapshotSchema } from './envelope.js';
import { faultSchema, helloSchema, wireErrorSchema } from './greeting.js';
import { lanOrderSchema, lanStateSchema } from './lan.js';
import { tableViewSchema } from './view.js';

/** A command of each kind; `args` may be left out where nothing in it is needed. */
const commands = COMMAND_NAMES.map((name) => {
  const args: z.ZodType = commandArgs[name];
  return commandFrame.extend({ do: z.literal(name), args: args.safeParse({}).success ? args.optional() : args });
});

const PUBLISHED = new Map<string, { readonly title: string; readonly schema: z.ZodType; readonly from: 'us' | 'you' }>([
  ['ack', { title: 'A command was taken', schema: ackSchema, from: 'us' }],
  ['awaited', { title: 'What is wanted from whom', schema: awaitedSchema, from: 'us' }],
  ['command', { title: 'A command', schema: z.union(commands), from: 'you' }],
  [
    'dicebound-box',
    { title: 'A box of Dicebound: tiles, classes, perks, monsters', schema: diceboundBoxSchema, from: 'you' },
  ],
  ['envelope', { title: 'A record of a table as one audience sees it', schema: envelopeSchema, from: 'us' }],
  ['error', { title: 'A message that could not be read', schema: wireErrorSchema, from: 'us' }],
  ['fault', { title: 'An HTTP request that was refused', schema: faultSchema, from: 'us' }],
  ['hello', { title: 'First word on a WebSocket', schema: helloSchema, from: 'us' }],
  ['lan', { title: 'Whether the table is open to the phones', schema: lanStateSchema, from: 'us' }],
  ['lan-order', { title: 'Opens a table to the phones, or closes it', schema: lanOrderSchema, from: 'you' }],
  ['live', { title: 'What a die does right now; never replayed', schema: liveSchema, from: 'us' }],
  ['preview', { title: 'What a ruling about the past would change', schema: previewSchema, from: 'us' }],
  ['refused', { title: 'A command that changed nothing', schema: refusedSchema, from: 'us' }],
  ['roll', { title: 'A roll', schema: rollSchema, from: 'us' }],
  ['snapshot', { title: 'The whole state of a table for one audience', schema: snapshotSchema, from: 'us' }],
  ['view', { title: 'What an audience may know of a table', schema: tableViewSchema, from: 'us' }],
]);

/**
 * The published JSON Schemas (draft 2020-12): file name to text. What we send may gain fields, so it is open; what you
 * send is checked, so it is closed.
 */
export function publishedSchemas(): ReadonlyMap<string, string> {
  const files = [...PUBLISHED].map(([name, { title, schema, from }]) => {
    const { $schema, ...body } = z.toJSONSchema(schema, {
      io: from === 'you' ? 'input' : 'output',
      unrepresentable: 'any',
    });
    const text = JSON.stringify(
      { $schema, $id: `urn:tiro:v1:${name}`, title, ...(from === 'us' ? opened(body) : body) },
      null,
      2,
    );
    return [`${name}.json`, `${text}\n`] as const;
  });
  return new Map(files);
}

/** Drops `additionalProperties: false`: within `v: 1` fields may be added (contracts). */
function opened(value: unknown): object {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (key === 'additionalProperties' && inner === false ? undefined : inner)),
  );
}
