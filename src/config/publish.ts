import { z } from 'zod';
import { leavesOf, variableOf } from './leaf.js';
import { configSchema } from './schema.js';
import { yaml } from './yaml.js';

/** The schema for editors, as JSON Schema text (config/tiro.schema.json). */
export function schemaText(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  return `${JSON.stringify({ ...schema, title: 'Tiro', description: 'Configuration of tiro start' }, null, 2)}\n`;
}

/** The whole configuration at its defaults, each leaf with its title, its other values and its variable. */
export function exampleText(): string {
  const lines = [
    '# yaml-language-server: $schema=./tiro.schema.json',
    '# Tutto è facoltativo: questi sono i valori di partenza. Copia il file, cambia ciò che serve e avvia con --config FILE.',
    '# Everything is optional: these are the defaults. Copy the file, change what you need, start with --config FILE.',
  ];
  let open: readonly string[] = [];
  for (const { path, meta, fallback } of leavesOf(configSchema)) {
    const sections = path.slice(0, -1);
    sections.forEach((name, depth) => {
      const opened = sections.slice(0, depth + 1).every((word, index) => open[index] === word);
      if (opened) return;
      if (depth === 0) lines.push('');
      lines.push(`${'  '.repeat(depth)}${name}:`);
    });
    if (sections.length === 0) lines.push('');
    open = sections;
    const indent = '  '.repeat(sections.length);
    const unit = meta.unit === undefined || meta.unit === 'port' ? '' : ` [${meta.unit}]`;
    lines.push(`${indent}# ${meta.titolo}${unit}`);
    const name = variableOf(path);
    // Of a secret no example is shown: it would be left in place.
    const more = meta.secret === true ? `or ${name}_FILE` : inline(path.at(-1) ?? '', meta.example);
    lines.push(`${indent}# ${meta.title}. ${name}${meta.secret === true ? ' ' : '; '}${more}`);
    lines.push(`${indent}${inline(path.at(-1) ?? '', fallback)}`);
  }
  return `${lines.join('\n')}\n`;
}

function inline(key: string, value: unknown): string {
  return yaml()
    .stringify({ [key]: value }, { collectionStyle: 'flow', lineWidth: 0 })
    .trim()
    .replace(/^\{\s*(.*?)\s*\}$/s, '$1');
}
