import { err, ok, type Result } from '../dice/result.js';

/** Deepest nesting that is read; a schema check of deeper data would exhaust the stack. */
export const MAX_DEPTH = 40;

/** True if the brackets of a JSON text nest deeper than `limit`; looks at no value. */
function deeper(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Reads JSON from outside. The caller has bounded its length; the depth is bounded here. The error quotes nothing. */
export function parseJson(text: string): Result<unknown, string> {
  if (deeper(text, MAX_DEPTH)) return err(`JSON nested deeper than ${MAX_DEPTH}`);
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(text.trim() === '' ? 'empty, JSON was expected' : 'no valid JSON');
  }
}
