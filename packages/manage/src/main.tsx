import './style/base.css';
import './style/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { speak } from './lib/say.ts';
import { showTheme } from './lib/theme.ts';

showTheme();
// React Aria would add an element with this id and a style of one rule, which the policy of the page stops: `base.css` has the rule.
const [styles] = document.head.querySelectorAll('link[rel=stylesheet]');
if (styles) styles.id = 'react-aria-pressable-style';
const place = document.getElementById('manage');
if (!place) throw new Error('The document has no place for the page');
await speak();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
