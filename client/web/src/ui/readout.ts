// The line at the foot of the page: the ground under the pointer, or in the middle of the picture.
import {valueAt} from '../codec/overlay';
import {coverNames} from '../generated/layers';
import {overlayScales} from '../render/ramps';
import type {LayerId} from '../state/view_state';
import type {Picked} from '../viewer/picker';
import type {Viewer} from '../viewer/viewer';
import {element} from './elements';
import {area, height, metres} from './format';

const minBetweenMs = 150;

// Returns the value of the layer that is shown; undefined for the height itself.
function layerText(picked: Picked, layer: LayerId): string | undefined {
  if (layer === 'satellite') {
    const cover = picked.tile.surface.classes?.[picked.vertex];
    return cover === undefined ? undefined : coverNames[cover]?.toLowerCase();
  }
  const overlay = overlayScales[layer];
  if (overlay) {
    const byte = picked.tile.overlays.get(overlay.layer)?.[picked.vertex];
    if (byte === undefined) return undefined;
    const value = valueAt(byte / 255, overlay.scale);
    return layer === 'vegetation' ? `${value.toFixed(0)} % plants`
      : `${value.toFixed(2)} m of sediment`;
  }
  if (layer === 'slope') return `${picked.slopeDeg.toFixed(0)}° slope`;
  if (layer === 'flow') return `${area(picked.catchmentKm2)} upstream`;
  return undefined;
}

function partsOf(
  {rig}: Viewer, picked: Picked | undefined, layer: LayerId): (readonly [name: string, text: string])[] {
  const parts: (readonly [string, string])[] = [];
  if (picked) {
    parts.push(['height', metres(picked.surfaceM - picked.depthM)]);
    if (picked.depthM > 0) parts.push(['depth', `${metres(picked.depthM)} of water`]);
    const value = layerText(picked, layer);
    if (value) parts.push(['value', value]);
    parts.push(['place', rig.datum.textOf(picked.place)]);
    parts.push(['level', `level ${picked.tile.key.level}`]);
  }
  parts.push(['camera', `camera ${height(rig.clearanceM)} up`]);
  return parts;
}

export class Readout {
  private hovered: {x: number; y: number} | undefined;
  private last = 0;
  private later: ReturnType<typeof setTimeout> | undefined;

  // `canvas` is the element that the pointer moves over.
  constructor(private readonly root: HTMLElement, canvas: HTMLElement, private readonly viewer: Viewer) {
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'mouse') this.hovered = {x: event.clientX, y: event.clientY};
    });
    canvas.addEventListener('pointerleave', () => { this.hovered = undefined; });
  }

  // Updates the text; a little later if it was updated a moment ago.
  update(layer: LayerId): void {
    clearTimeout(this.later);
    const now = performance.now();
    const waitMs = this.last + minBetweenMs - now;
    if (waitMs > 0) {
      this.later = setTimeout(() => this.update(layer), waitMs);
      return;
    }
    this.last = now;
    const {picker} = this.viewer;
    const picked = this.hovered ? picker.pick(this.hovered.x, this.hovered.y) : picker.pickMiddle();
    this.fill(partsOf(this.viewer, picked, layer));
  }

  private fill(parts: readonly (readonly [name: string, text: string])[]): void {
    const {root} = this;
    const spans = [...root.children] as HTMLElement[];
    // Elements that are used again need no new layout.
    if (spans.map(({className}) => className).join() !== parts.map(([name]) => name).join()) {
      root.replaceChildren(...parts.map(([name, text]) => element('span', {className: name}, text)));
      return;
    }
    parts.forEach(([, text], n) => {
      if (spans[n]!.textContent !== text) spans[n]!.textContent = text;
    });
  }
}
