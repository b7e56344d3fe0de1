// Starts the page, or shows why it can't start.
import './ui/page.css';
import {App} from './app/app';
import {problemText} from './terrain/world';
import {byId} from './ui/elements';

try {
  // For tests, which use it to look at the page.
  Object.assign(globalThis, {thalweg: new App()});
} catch (error) {
  const notice = byId('notice');
  notice.hidden = false;
  notice.textContent = 'This page needs WebGL 2: try another browser, or turn on hardware acceleration. ' +
    `(${problemText(error)})`;
}
