// The keys of the page, except those that move the camera (camera/keys.ts).
import {LayerId, layerIds} from '../state/view_state';

export interface ShortcutActions {
  // Actions by the key, as `event.key` names it, in lower case.
  readonly byKey: Readonly<Record<string, () => void>>;
  showHelp(): void;
  showLayer(layer: LayerId): void;
  escape(): void;
}

export function bindShortcuts(actions: ShortcutActions): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog')) return;
    if (event.key === 'Escape') actions.escape();
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement && target.type === 'text') return;
    if (event.key === '?') actions.showHelp();
    if (target.id !== 'view' && target !== document.body) return;
    const layer = layerIds[Number(event.key) - 1];
    if (layer) actions.showLayer(layer);
    const action = actions.byKey[event.key.toLowerCase()];
    if (action && !event.repeat) {
      event.preventDefault();
      action();
    }
  });
}
