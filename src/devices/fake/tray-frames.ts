/** The fake's own check, bit by bit from the definition: no byte of a fake is made by the codec it tests. */
function check(body: string): string {
  let register = 0xffff;
  for (const character of body) {
    for (let bit = 7; bit >= 0; bit--) {
      const out = (register >> 15) & 1;
      const into = (character.charCodeAt(0) >> bit) & 1;
      register = (register << 1) & 0xffff;
      if (out !== into) register ^= 0x1021;
    }
  }
  return `000${register.toString(16).toUpperCase()}`.slice(-4);
}

/** A frame from `$` to its check. `body` starts with `TT` and has its commas and escapes already. */
export const framed = (body: string): string => `$${body}*${check(body)}`;

/** What a host said, if its check is right: type and fields. */
export function commandOf(line: string): readonly string[] | undefined {
  const parts = /^\$(TT[^*]*)\*([0-9A-F]{4})$/.exec(line);
  const body = parts?.[1];
  if (body === undefined || parts?.[2] !== check(body)) return undefined;
  return body.slice(2).split(',');
}
