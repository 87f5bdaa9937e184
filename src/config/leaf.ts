import { z } from 'zod';

/** What people and editors are told of a leaf: every leaf has a title in both languages, a default and an example. */
export interface LeafMeta {
  readonly title: string;
  readonly titolo: string;
  /** Unit of a number: `ms`, `baud`, `port`. */
  readonly unit?: string;
  readonly example: unknown;
  /** One value, or a list of such values. */
  readonly several?: boolean;
  /** A secret may also be read from the file that `TIRO_…_FILE` names. */
  readonly secret?: boolean;
}

/** A leaf of the configuration: its schema with default and description. */
export function leaf<T extends z.ZodType>(schema: T, fallback: z.output<T>, meta: LeafMeta) {
  const { example, secret, several, ...told } = meta;
  return schema.prefault(fallback as z.input<T>).meta({
    ...told,
    default: fallback,
    examples: [example],
    ...(secret === true ? { secret } : {}),
    ...(several === true ? { several } : {}),
  });
}

/** A group of leaves: unknown keys are refused, and the whole group may be left out. */
export function section<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape).prefault({} as never);
}

/** A leaf and where it lies. */
export interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
  readonly meta: LeafMeta;
  readonly fallback: unknown;
}

/** Every leaf of a schema, in the order of its text. */
export function leavesOf(schema: z.ZodType, path: readonly string[] = []): Leaf[] {
  const inner = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema;
  const told = schema.meta();
  if (told?.title !== undefined) {
    const { titolo, examples, unit, secret, several } = told as {
      titolo: string;
      examples: unknown[];
      unit?: string;
      secret?: boolean;
      several?: boolean;
    };
    const meta = { title: told.title, titolo, example: examples[0], ...(unit === undefined ? {} : { unit }) };
    return [
      { path, schema, meta: { ...meta, secret: secret === true, several: several === true }, fallback: told.default },
    ];
  }
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([key, child]) => leavesOf(child as z.ZodType, [...path, key]));
}

/** Name of a leaf in the environment: `http.trustLoopback` is `TIRO_HTTP_TRUST_LOOPBACK`. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((word) => word.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase());
  return `TIRO_${words.join('_')}`;
}
