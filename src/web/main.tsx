import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/dadoteck.css';
import './styles/overlay.css';
import { App } from './app.js';
import { takeInvitation } from './session.js';

takeInvitation();
const page = document.getElementById('page');
if (page !== null) render(<App />, page);
