// The panel at the side: world, layer, light, tools, statistics.
import {coverColor} from '../codec/cover';
import {coverNames} from '../generated/layers';
import {canShow, colorAt, legendOf} from '../render/ramps';
import {parameters} from '../state/parameters';
import {LayerId, ViewState, layerIds} from '../state/view_state';
import type {World, WorldSpec} from '../terrain/world';
import {Slider, button, element, section, slider} from './elements';

// What the panel needs of the page.
export interface PanelActions {
  setLook(change: Partial<Pick<ViewState, 'layer' | 'sunAzimuthDeg' | 'sunAltitudeDeg' | 'contours'>>): void;
  setSeed(seed: string): void;
  setChange(id: string, value: number): void;
  resetChanges(): void;
  toggleMode(): void;
  startProfile(): void;
  screenshot(): void;
  copyLink(): void;
  showHelp(): void;
}

const layerNames: Record<LayerId, string> = {
  satellite: 'Satellite', relief: 'Relief', heights: 'Heights', slope: 'Slope', flow: 'Flow', water: 'Water',
  sediment: 'Sediment', vegetation: 'Plants',
};

const contourChoices: readonly (readonly [string, string])[] = [
  ['0', 'None'], ['auto', 'Automatic'], ['1', '1 m'], ['5', '5 m'], ['10', '10 m'], ['20', '20 m'],
  ['50', '50 m'], ['100', '100 m'], ['250', '250 m'],
];

// Only on a plane; over a planet there is night.
const lowestSunDeg = 3;

// Makes a legend of the cover's classes in their colours.
function coverLegend(): HTMLElement {
  const classes = coverNames.map((name, cover) => {
    const swatch = element('i', {});
    swatch.style.background = `rgb(${coverColor(cover).join(' ')})`;
    return element('span', {}, swatch, name);
  });
  return element('div', {className: 'classes'}, ...classes);
}

export class Panel {
  readonly statistics = element('dl', {id: 'statistics'});
  readonly statisticsSection = section('Statistics', false, this.statistics);
  private readonly layers = new Map<LayerId, HTMLInputElement>();
  private readonly legend = element('div', {id: 'legend'});
  private readonly seed = element('input', {
    id: 'seed', type: 'text', inputMode: 'numeric', pattern: '[0-9]{1,20}', autocomplete: 'off',
  });
  private readonly sliders = new Map<string, Slider>();
  private readonly azimuth: Slider;
  private readonly altitude: Slider;
  private readonly contours = element('select', {id: 'contours'});
  private readonly mode: HTMLButtonElement;
  private readonly reset: HTMLButtonElement;

  constructor(root: HTMLElement, private readonly actions: PanelActions) {
    this.azimuth = this.sunSlider('sun-azimuth', 'Direction', 0, 360, 'sunAzimuthDeg');
    this.altitude = this.sunSlider('sun-altitude', 'Height', lowestSunDeg, 90, 'sunAltitudeDeg');
    this.mode = button('Fly', 'Switch between orbiting and flying (M)', actions.toggleMode, 'mode');
    this.reset = button('Reset', 'Undo all changes of this world', actions.resetChanges, 'reset');
    root.append(
      this.toolSection(), this.layerSection(), this.worldSection(), this.lightSection(),
      this.statisticsSection);
  }

  // Shows a state and its world.
  show(state: ViewState, world: World | undefined): void {
    this.layers.get(state.layer)!.checked = true;
    for (const [layer, input] of this.layers) {
      input.disabled = world !== undefined && !canShow(layer, world.layers);
      input.parentElement!.title = input.disabled ? 'This world does not have this layer' : '';
    }
    this.altitude.input.min = world?.spec.sphere ? '-90' : String(lowestSunDeg);
    this.showSun(state);
    this.showContours(String(state.contours));
    this.showLegend(state.layer, world?.spec ?? {});
    if (!world) return;
    if (document.activeElement !== this.seed) this.seed.value = String(world.spec.seed ?? 0);
    for (const parameter of parameters) {
      const row = this.sliders.get(parameter.id)!;
      row.row.hidden = !parameter.appliesTo(world.spec);
      if (document.activeElement !== row.input) {
        row.set(state.changes[parameter.id] ?? parameter.unchanged);
      }
    }
    this.reset.disabled = Object.keys(state.changes).length === 0;
  }

  showSun({sunAzimuthDeg, sunAltitudeDeg}: Pick<ViewState, 'sunAzimuthDeg' | 'sunAltitudeDeg'>): void {
    this.azimuth.set(sunAzimuthDeg);
    this.altitude.set(sunAltitudeDeg);
  }

  showMode(mode: 'orbit' | 'fly'): void {
    this.mode.textContent = mode === 'fly' ? 'Orbit' : 'Fly';
  }

  private layerSection(): HTMLElement {
    const group = element('div', {id: 'layers', role: 'radiogroup', ariaLabel: 'Layer'});
    for (const layer of layerIds) {
      const input = element('input', {type: 'radio', name: 'layer', value: layer});
      input.addEventListener('change', () => this.actions.setLook({layer}));
      this.layers.set(layer, input);
      group.append(element('label', {}, input, element('span', {}, layerNames[layer])));
    }
    for (const [value, text] of contourChoices) this.contours.append(new Option(text, value));
    this.contours.addEventListener('change', () => {
      const {value} = this.contours;
      this.actions.setLook({contours: value === 'auto' ? value : Number(value)});
    });
    return section('Layer', true, group, this.legend, element('div', {className: 'row'},
      element('label', {htmlFor: 'contours'}, 'Contour lines'), this.contours));
  }

  // A link may have a distance that is not one of the choices.
  private showContours(value: string): void {
    const isChoice = Array.from(this.contours.options).some((option) => option.value === value);
    if (!isChoice) this.contours.append(new Option(`${value} m`, value));
    this.contours.value = value;
  }

  private showLegend(layer: LayerId, spec: Partial<WorldSpec>): void {
    if (layer === 'satellite') {
      this.legend.replaceChildren(element('p', {}, 'Ground cover'), coverLegend());
      return;
    }
    const {title, unit, ramp, ticks} = legendOf(layer, spec);
    const bar = element('div', {className: 'ramp'});
    const colors = Array.from({length: 33}, (_, n) =>
      `rgb(${colorAt(ramp, n / 32).map(Math.round).join(' ')})`);
    bar.style.backgroundImage = `linear-gradient(to right, ${colors.join(', ')})`;
    const marks = element('div', {className: 'ticks'});
    ticks.forEach(([at, text], n) => {
      const mark = element('span', {}, text);
      mark.style.left = `${100 * at}%`;
      if (n === 0 && at < 0.08) mark.classList.add('first');
      if (at > 0.92) mark.classList.add('last');
      marks.append(mark);
    });
    this.legend.replaceChildren(
      element('p', {}, `${title}, ${unit}`), bar, marks);
  }

  private worldSection(): HTMLElement {
    this.seed.addEventListener('change', () => {
      if (/^[0-9]{1,20}$/.test(this.seed.value)) this.actions.setSeed(this.seed.value);
    });
    const dice = button('⚄', 'Another seed', () => {
      this.seed.value = String(1 + Math.floor(Math.random() * 1e6));
      this.actions.setSeed(this.seed.value);
    }, 'dice');
    dice.ariaLabel = 'Another seed';
    const rows = parameters.map((parameter) => {
      const made = slider({
        ...parameter, id: `parameter-${parameter.id}`,
        onChange: (value) => this.actions.setChange(parameter.id, value),
      });
      this.sliders.set(parameter.id, made);
      return made.row;
    });
    return section('World', true, element('div', {className: 'row'},
      element('label', {htmlFor: 'seed'}, 'Seed'), this.seed, dice, this.reset), ...rows);
  }

  private sunSlider(
    id: string, label: string, min: number, max: number,
    name: 'sunAzimuthDeg' | 'sunAltitudeDeg'): Slider {
    return slider({
      id, label, min, max, step: 1,
      text: (value) => `${value}°`,
      onInput: (value) => this.actions.setLook({[name]: value}),
    });
  }

  private lightSection(): HTMLElement {
    return section('Sun', false, this.azimuth.row, this.altitude.row);
  }

  private toolSection(): HTMLElement {
    const {actions} = this;
    return element('div', {id: 'tools'}, this.mode,
      button('Profile', 'Heights between two points (P)', actions.startProfile, 'start-profile'),
      button('Picture', 'Save the view as a PNG', actions.screenshot, 'screenshot'),
      button('Link', 'Copy a link to this view', actions.copyLink, 'link'),
      button('Keys', 'All keys, mouse and touch (?)', actions.showHelp, 'help'));
  }
}
