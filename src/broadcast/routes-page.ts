import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { json, type Reply, type Route, refused } from './visit.js';

const PAGES = [
  '/',
  '/settings',
  '/table/:table',
  '/gm/:table',
  '/board/:table',
  '/board/:table/:seat',
  '/overlay/:table',
];

/** Names of built files: nothing hidden, no folder. */
const FILE = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,120}$/;

function file(root: string | null, name: string, forever: boolean): Reply {
  if (root === null || !FILE.test(name) || name.endsWith('.html') || !existsSync(join(root, name)))
    throw refused(404, 'not_found', 'there is nothing here');
  return { kind: 'file', root, name, forever };
}

function page(root: string | null): Reply {
  if (root === null || !existsSync(join(root, 'index.html')))
    return {
      kind: 'text',
      status: 503,
      type: 'text/plain',
      text: 'Le pagine non ci sono: npm run build.\nThe pages are missing: npm run build.\n',
    };
  return { kind: 'file', root, name: 'index.html', forever: false };
}

/** Pages and their parts. They hold no data of any table, so anyone the door lets in may load them. */
export function pageRoutes(root: string | null): readonly Route[] {
  const pages = PAGES.map(
    (path): Route => ({ method: 'get', path, allow: 'anyone', query: null, answer: () => page(root) }),
  );
  const assets = root === null ? null : join(root, 'assets');
  return [
    ...pages,
    {
      method: 'get',
      path: '/assets/:file',
      allow: 'anyone',
      query: null,
      answer: (visit) => file(assets, visit.params.get('file') ?? '', true),
    },
    {
      method: 'get',
      path: '/:file',
      allow: 'anyone',
      query: null,
      answer: (visit) => file(root, visit.params.get('file') ?? '', false),
    },
  ];
}

/** The published JSON Schemas (contracts E). */
export function schemaRoutes(root: string | null): readonly Route[] {
  const names = (): readonly string[] =>
    root === null || !existsSync(root)
      ? []
      : readdirSync(root)
          .filter((name) => name.endsWith('.json'))
          .sort();
  return [
    {
      method: 'get',
      path: '/api/v1/schemas',
      allow: 'anyone',
      query: [],
      answer: () => json({ schemas: names().map((name) => `/api/v1/schemas/${name}`) }),
    },
    {
      method: 'get',
      path: '/api/v1/schemas/:name',
      allow: 'anyone',
      query: [],
      answer(visit) {
        const wanted = visit.params.get('name') ?? '';
        const name = names().find((known) => known === wanted || known === `${wanted}.json`);
        if (root === null || name === undefined) throw refused(404, 'not_found', 'there is no such schema');
        return { kind: 'file', root, name, forever: false };
      },
    },
  ];
}
