// The profile: a chart of the ground's heights between two points.
import type {Place} from '../datum/place';
import type {Viewer} from '../viewer/viewer';
import {button, element} from './elements';
import {distance, metres} from './format';

const samples = 240;
const width = 520;
const height = 130;
const margin = {left: 48, right: 10, top: 10, bottom: 22};

interface Sample {
  readonly atM: number;
  readonly surfaceM: number;
  readonly groundM: number;
}

function samplesBetween(viewer: Viewer, from: Place, to: Place): Sample[] {
  const {datum} = viewer.rig;
  const lengthM = datum.distanceM(from, to);
  const list: Sample[] = [];
  for (let n = 0; n <= samples; ++n) {
    const share = n / samples;
    const point = viewer.picker.pointAt(datum.between(from, to, share));
    if (!point) continue;
    const {surfaceM, depthM} = point;
    list.push({atM: share * lengthM, surfaceM, groundM: surfaceM - depthM});
  }
  return list;
}

function svg(tag: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

function chart(list: readonly Sample[]): SVGElement {
  const lengthM = list[list.length - 1]!.atM || 1;
  const low = Math.min(...list.map(({groundM}) => groundM));
  const high = Math.max(...list.map(({surfaceM}) => surfaceM), low + 1);
  const x = (atM: number): number =>
    margin.left + (width - margin.left - margin.right) * atM / lengthM;
  const y = (heightM: number): number =>
    margin.top + (height - margin.top - margin.bottom) * (high - heightM) / (high - low);
  const line = (value: (sample: Sample) => number): string =>
    list.map((sample) => `${x(sample.atM).toFixed(1)},${y(value(sample)).toFixed(1)}`).join(' ');
  const floor = height - margin.bottom;
  const area = (points: string): string => `${margin.left},${floor} ${points} ${x(lengthM)},${floor}`;
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `Heights from ${metres(low)} to ${metres(high)} over ${distance(lengthM)}`});
  root.append(
    svg('polygon', {points: area(line(({surfaceM}) => surfaceM)), class: 'water'}),
    svg('polygon', {points: area(line(({groundM}) => groundM)), class: 'ground'}),
    svg('polyline', {points: line(({groundM}) => groundM), class: 'edge'}),
    svg('text', {x: margin.left - 6, y: margin.top + 8, 'text-anchor': 'end'}, metres(high)),
    svg('text', {x: margin.left - 6, y: floor, 'text-anchor': 'end'}, metres(low)),
    svg('text', {x: margin.left, y: height - 6}, '0'),
    svg('text', {x: width - margin.right, y: height - 6, 'text-anchor': 'end'}, distance(lengthM)));
  return root;
}

// Takes two points one after another, then shows the profile between them.
export class ProfileTool {
  // Whether it waits for a point.
  active = false;
  private from: Place | undefined;

  constructor(private readonly root: HTMLElement, private readonly viewer: Viewer) {}

  start(): void {
    this.active = true;
    this.from = undefined;
    this.viewer.picture.profile = undefined;
    this.viewer.wake();
    this.say('Profile: click the first point, or press Enter for the middle of the picture.');
  }

  stop(): void {
    this.active = false;
    this.from = undefined;
    this.viewer.picture.profile = undefined;
    this.viewer.wake();
    this.root.hidden = true;
    document.body.classList.remove('aiming');
  }

  // Takes the next point.
  take(place: Place): void {
    if (!this.from) {
      this.from = place;
      this.say('Profile: click the second point, or press Enter for the middle of the picture.');
      return;
    }
    this.active = false;
    this.viewer.picture.profile = [this.from, place];
    this.viewer.wake();
    this.draw();
  }

  // Draws the profile again, when the ground has become finer.
  draw(): void {
    if (!this.viewer.picture.profile) return;
    document.body.classList.remove('aiming');
    const list = samplesBetween(this.viewer, ...this.viewer.picture.profile);
    if (list.length < 2) return;
    this.fill(chart(list));
  }

  private say(text: string): void {
    document.body.classList.add('aiming');
    this.fill(element('p', {}, text));
  }

  private fill(content: Node): void {
    this.root.hidden = false;
    this.root.replaceChildren(content,
      button('×', 'Close the profile (Escape)', () => this.stop(), 'close-profile'));
  }
}
