import { leavesOf } from './leaf.js';
import { valueAt } from './load.js';
import { configSchema } from './schema.js';
import { readConfigText } from './text.js';
import { yaml } from './yaml.js';

/** What stands in place of a secret wherever a configuration is shown. */
export const MASK = '********';

interface Secret {
  readonly path: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
}

const secretPaths = (): readonly (readonly string[])[] =>
  leavesOf(configSchema).flatMap(({ path, meta }) => (meta.secret === true ? [path] : []));

function secretsIn(text: string): Secret[] {
  const { isScalar, parseDocument } = yaml();
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
  const found = secretPaths().flatMap((path): Secret[] => {
    const node: unknown = document.getIn(path, true);
    if (!isScalar(node) || node.range === null || node.range === undefined) return [];
    return [{ path, from: node.range[0], to: node.range[1], value: node.value }];
  });
  return found.sort((a, b) => b.from - a.from);
}

/** A secret of several lines ends with its line break. */
const replaced = (text: string, from: number, to: number, value: string): string =>
  `${text.slice(0, from)}${value}${text.slice(from, to).endsWith('\n') ? '\n' : ''}${text.slice(to)}`;

/** A text that does not parse: the rest of every line that names a secret. */
function maskLines(text: string): string {
  const names = secretPaths().map((path) => path.at(-1));
  return text.replace(new RegExp(`((?:${names.join('|')})["']?[ \\t]*:)[^\\r\\n]*`, 'g'), `$1 "${MASK}"`);
}

/** The text of a configuration as it may be shown: every secret that is set is masked, its line and all else kept. */
export function maskSecrets(text: string): string {
  if (readConfigText(text, '').faults.length > 0) return maskLines(text);
  let masked = text;
  for (const { from, to, value } of secretsIn(text))
    if (value !== '' && value !== null) masked = replaced(masked, from, to, `"${MASK}"`);
  return masked;
}

/** The text with every mask replaced by the secret that stands at its place in the text before. */
export function unmaskSecrets(text: string, before: string): string {
  if (!text.includes(MASK) || readConfigText(text, '').faults.length > 0) return text;
  const old = readConfigText(before, '').value;
  let whole = text;
  for (const { path, from, to, value } of secretsIn(text)) {
    const secret = valueAt(old, path);
    if (value === MASK && typeof secret === 'string') whole = replaced(whole, from, to, JSON.stringify(secret));
  }
  return whole;
}
