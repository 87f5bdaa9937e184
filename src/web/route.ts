/** Which page an address names (contracts E, Pages). */
export type Route =
  | { readonly page: 'home' | 'settings' | 'missing' }
  | { readonly page: 'table' | 'gm' | 'overlay'; readonly table: string }
  | { readonly page: 'board'; readonly table: string; readonly seat: string | null };

const ID = '([a-z0-9][a-z0-9_-]{0,31})';
const PLAIN = new RegExp(`^/(table|gm|overlay)/${ID}/?$`);
const BOARD = new RegExp(`^/board/${ID}(?:/${ID})?/?$`);

/** Reads a path; anything that is no page is `missing`. `/board/T` without a seat asks who you are. */
export function routeOf(path: string): Route {
  if (path === '/' || path === '/index.html') return { page: 'home' };
  if (path === '/settings' || path === '/settings/') return { page: 'settings' };
  const [, page, table] = PLAIN.exec(path) ?? [];
  if (table !== undefined && (page === 'table' || page === 'gm' || page === 'overlay')) return { page, table };
  const [, boardTable, seat] = BOARD.exec(path) ?? [];
  return boardTable === undefined ? { page: 'missing' } : { page: 'board', table: boardTable, seat: seat ?? null };
}
