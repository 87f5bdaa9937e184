import { useEffect } from 'preact/hooks';
import { language, say } from './language.js';
import { BoardPage } from './pages/board.js';
import { GmPage } from './pages/gm.js';
import { HomePage } from './pages/home.js';
import { OverlayPage } from './pages/overlay.js';
import { SettingsPage } from './pages/settings.js';
import { TablePage } from './pages/table.js';
import { WhoPage } from './pages/who.js';
import { Frame } from './parts/frame.js';
import { routeOf } from './route.js';

const TITLES = {
  home: 'page.home',
  settings: 'page.settings',
  table: 'page.table',
  gm: 'page.gm',
  board: 'page.board',
  overlay: 'page.overlay',
  missing: 'app.notFound',
} as const;

/** The page the address names. */
export function App() {
  const route = routeOf(location.pathname);
  const title = say(TITLES[route.page]);
  const spoken = language.value;
  useEffect(() => {
    document.title = 'table' in route ? `${title} · ${route.table}` : title;
    document.documentElement.dataset.page = route.page;
    document.documentElement.lang = spoken;
  }, [title, spoken, route]);
  switch (route.page) {
    case 'home':
      return <HomePage />;
    case 'settings':
      return <SettingsPage />;
    case 'table':
      return <TablePage table={route.table} />;
    case 'gm':
      return <GmPage table={route.table} />;
    case 'board':
      return route.seat === null ? (
        <WhoPage table={route.table} />
      ) : (
        <BoardPage table={route.table} seat={route.seat} />
      );
    case 'overlay':
      return <OverlayPage table={route.table} />;
    case 'missing':
      return (
        <Frame title={title}>
          <p class="card">
            <a href="/">{say('app.home')}</a>
          </p>
        </Frame>
      );
  }
}
