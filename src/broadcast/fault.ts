import type { Fault } from './daemon.js';

/** The body every refusal has (contracts E): no stack, no path of this computer. */
export function errorBody(fault: Fault): object {
  const { code, message, where, remedy } = fault;
  return {
    error: {
      code,
      message,
      ...(where === undefined ? {} : { where }),
      ...(remedy === undefined ? {} : { remedy }),
    },
  };
}
