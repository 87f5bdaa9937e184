import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/dadoteck.css';
import './styles/dicebound.css';
import './styles/magic.css';
import './styles/overlay.css';
import './styles/settings.css';
import { App } from './app.js';
import { routeOf } from './route.js';
import { takeInvitation } from './session.js';

takeInvitation();
// Before anything is drawn: an overlay must not show the paper of the other pages, not even for one frame.
document.documentElement.dataset.page = routeOf(location.pathname).page;
const page = document.getElementById('page');
if (page !== null) render(<App />, page);
