/** Plain data: what the journal stores and the wire carries. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A plain object of the wire. Keys come from outside: read them with `Object.hasOwn`, never with `in` (F154). */
export type JsonObject = { readonly [key: string]: Json };
