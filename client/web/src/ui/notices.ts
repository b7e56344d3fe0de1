// Short texts about the page: loading, results and errors.
import {byId} from './elements';

const noticeMs = 6000;
let timer = 0;

// Shows a text beside the world's name, until another one replaces it.
export function showProgress(text: string): void {
  const element = byId('progress');
  if (element.textContent !== text) element.textContent = text;
}

// Shows a text for a few seconds.
export function showNotice(text: string): void {
  const element = byId('notice');
  element.textContent = text;
  element.hidden = false;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => { element.hidden = true; }, noticeMs);
}
