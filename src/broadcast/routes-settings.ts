import type { Result } from '../dice/result.js';
import { firstIssue } from '../wire/command.js';
import { type SettingsChange, settingsOrderSchema } from '../wire/settings.js';
import type { Daemon } from './daemon.js';
import { errorBody } from './fault.js';
import type { Settings, SettingsRefusal } from './settings.js';
import { json, type Reply, type Route, refused, type Visit } from './visit.js';

function settingsOf(daemon: Daemon): Settings {
  if (daemon.settings === undefined) throw refused(404, 'no_settings', 'this daemon has no configuration to change');
  return daemon.settings;
}

function told(done: Result<SettingsChange, SettingsRefusal>): Reply {
  if (done.ok) return json(done.value);
  const { fault, faults } = done.error;
  return json({ ...errorBody(fault), faults }, fault.status);
}

async function change(settings: Settings, visit: Visit): Promise<Reply> {
  const parsed = settingsOrderSchema.safeParse(visit.body);
  if (!parsed.success) throw refused(400, 'body_invalid', firstIssue(parsed.error));
  const { text, dry } = parsed.data;
  return told(dry === true ? settings.check(text) : await settings.save(text));
}

/** The configuration: seen, tried and changed; the GM's alone, since it decides who may come in. */
export function settingsRoutes(daemon: Daemon): readonly Route[] {
  const rule = { path: '/api/v1/config', allow: ['gm'], wide: true, query: [] } as const;
  return [
    { method: 'get', ...rule, answer: () => json(settingsOf(daemon).state()) },
    { method: 'post', ...rule, answer: (visit) => change(settingsOf(daemon), visit) },
  ];
}
