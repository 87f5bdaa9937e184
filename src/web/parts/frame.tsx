import type { ComponentChildren } from 'preact';
import { chooseLanguage, clockTime, LANGUAGES, language, say } from '../language.js';
import type { Room } from '../room.js';

const LANGUAGE_NAMES = { it: 'Italiano', en: 'English' } as const;

/** Changes the language of the page on this device. */
function LanguageSwitch() {
  return (
    <fieldset class="language" aria-label={say('app.language')}>
      {LANGUAGES.map((one) => (
        <button
          key={one}
          type="button"
          class="language-choice"
          lang={one}
          aria-label={LANGUAGE_NAMES[one]}
          aria-pressed={language.value === one}
          onClick={() => chooseLanguage(one)}
        >
          {one.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}

interface FrameProps {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** Links to the other pages of the same table. */
  readonly links?: ReadonlyArray<{ readonly href: string; readonly text: string; readonly here?: boolean }>;
  readonly status?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What every page but the overlay has around it. */
export function Frame({ title, subtitle, links = [], status, children }: FrameProps) {
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {say('app.skip')}
      </a>
      <header class="masthead">
        <a class="masthead-home" href="/" aria-label={say('app.home')}>
          <img src="/icon.svg" alt="" width="36" height="36" />
        </a>
        <div class="masthead-title">
          <h1>{title}</h1>
          {subtitle === undefined ? null : <p>{subtitle}</p>}
        </div>
        <div class="masthead-status">{status}</div>
        <nav class="masthead-links" aria-label={say('page.home')}>
          {links.map((link) => (
            <a key={link.href} href={link.href} {...(link.here === true ? { 'aria-current': 'page' } : {})}>
              {link.text}
            </a>
          ))}
        </nav>
        <LanguageSwitch />
      </header>
      <main id="content">{children}</main>
    </div>
  );
}

/** The links every page of a table shows. */
export function tableLinks(table: string, here: 'table' | 'gm' | 'board') {
  return [
    { href: `/table/${table}`, text: say('nav.table'), here: here === 'table' },
    { href: `/board/${table}`, text: say('nav.board'), here: here === 'board' },
    { href: `/gm/${table}`, text: say('nav.gm'), here: here === 'gm' },
  ];
}

/** What stands above a table's page when something is not as it should be; nothing otherwise. */
export function Banners({ room }: { room: Room }) {
  const view = room.view.value;
  return (
    <div class="banners" aria-live="polite">
      <LinkBanner room={room} />
      {view?.degraded === true || !room.durable.value ? (
        <p class="banner banner-red" role="alert">
          <span aria-hidden="true">⚠</span> {say('banner.degraded')}
        </p>
      ) : null}
      {view?.incomplete === true ? <p class="banner banner-amber">{say('banner.incomplete')}</p> : null}
      {view?.evening === 'paused' ? <p class="banner banner-amber">{say('evening.pausedHint')}</p> : null}
      {view?.evening === 'closed' ? <p class="banner">{say('evening.closedHint')}</p> : null}
    </div>
  );
}

function LinkBanner({ room }: { room: Room }) {
  const link = room.link.value;
  if (link === 'live') return null;
  const heard = room.heard.value;
  const lost = heard === null ? say('link.lostNow') : say('link.lost', { time: clockTime(heard) });
  const text = {
    connecting: say('link.connecting'),
    lost,
    token: say('link.token'),
    not_yours: say('link.notYours'),
    no_table: say('link.noTable'),
  }[link];
  return <p class={link === 'connecting' ? 'banner' : 'banner banner-amber'}>{text}</p>;
}

const EVENING_SIGNS = { open: '●', paused: '❚❚', closed: '■' } as const;

/** Evening and link in two words, for the masthead. */
export function Standing({ room }: { room: Room }) {
  const evening = room.view.value?.evening;
  if (evening === undefined) return null;
  return (
    <span class={`chip chip-${evening}`}>
      <span aria-hidden="true">{EVENING_SIGNS[evening]}</span> {say(`evening.${evening}`)}
    </span>
  );
}

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly kind?: string;
  /** Where a link of another page leads. */
  readonly id?: string;
}

/** A card that opens when it is needed, so that a phone is not a mile of paper. */
export function Fold({
  title,
  children,
  open = false,
}: {
  title: string;
  children: ComponentChildren;
  open?: boolean;
}) {
  return (
    <details class="card fold" open={open}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}

/** A titled card of a page. */
export function Card({ title, children, kind = '', id }: CardProps) {
  return (
    <section {...(id === undefined ? {} : { id })} class={`card ${kind}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
