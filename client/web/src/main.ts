import './ui/page.css';
import {App} from './app/app';
import {byId} from './ui/elements';

try {
  // Tests look at the page through it.
  Object.assign(globalThis, {thalweg: new App()});
} catch (error) {
  const notice = byId('notice');
  notice.hidden = false;
  notice.textContent = 'This page draws with WebGL 2, which this browser or its graphics driver does not offer. ' +
    `(${error instanceof Error ? error.message : String(error)})`;
}
