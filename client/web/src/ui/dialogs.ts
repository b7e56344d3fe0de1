// Dialogs: the choice of a world, the list of keys, the question whether to make a world, and the request for a token.
import {datumOf} from '../datum/datum';
import {tileSizeM} from '../lod/grid';
import {surfaceOf} from '../lod/surface';
import {WorldSummary, fetchFromServer} from '../terrain/world';
import {button, element} from './elements';

// Shows a dialog, and removes it when it is closed.
function open(title: string, ...content: Node[]): HTMLDialogElement {
  const dialog = element('dialog', {ariaLabel: title});
  const close = button('×', 'Close (Escape)', () => dialog.close());
  close.className = 'close';
  dialog.append(element('h2', {}, title), close, ...content);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Returns the URL of a tile of the server's pictures, as a preview of the world.
function pictureUrl(world: WorldSummary): string {
  const {showplace} = world;
  const datum = datumOf({...world, ...(world.radius_m && {sphere: {radius_m: world.radius_m}})});
  const place = world.radius_m
    ? {latitudeDeg: showplace.latitude_deg ?? 0, longitudeDeg: showplace.longitude_deg ?? 0}
    : {tileX: 0, tileY: 0, eastM: showplace.east_m ?? 0, southM: showplace.south_m ?? 0};
  const pose = {place, heightM: 0, headingDeg: 0, pitchDeg: 0};
  const surface = surfaceOf(datum.gridAbout(pose));
  const level = Math.min(Math.max(
    Math.round(Math.log2(tileSizeM(surface.grid, 0) / showplace.side_m)), 0), world.levels - 1);
  const {key} = surface.tileUnder(datum.eyeOf(pose), level);
  const face = key.face === 0 ? '' : `?face=${key.face}`;
  return `v1/worlds/${world.id}/tiles/${level}/${key.x}/${key.y}.satellite.png${face}`;
}

// Two at a time, so that tiles still get through: a browser has six connections, and the server may first
// have to compute a picture.
const picturesAtOnce = 2;

// Loads the pictures one after another, until the signal ends it. A missing picture leaves a gap.
async function fillPictures(
  pictures: Iterator<readonly [HTMLImageElement, WorldSummary]>, signal: AbortSignal): Promise<void> {
  for (let next = pictures.next(); !next.done && !signal.aborted; next = pictures.next()) {
    const [image, world] = next.value;
    try {
      const response = await fetchFromServer(pictureUrl(world), {signal});
      image.src = URL.createObjectURL(await response.blob());
      await image.decode();
      URL.revokeObjectURL(image.src);
    } catch {
      image.classList.add('missing');
    }
  }
}

export function chooseWorld(
  worlds: readonly WorldSummary[], current: string, onChoice: (name: string) => void): void {
  const list = element('ul', {id: 'world-list'});
  const dialog = open('Worlds', list);
  const pictures: (readonly [HTMLImageElement, WorldSummary])[] = [];
  const closed = new AbortController();
  dialog.addEventListener('close', () => closed.abort());
  for (const world of worlds) {
    const image = element('img', {alt: '', width: 256, height: 256});
    pictures.push([image, world]);
    const choice = element('button', {type: 'button'}, image,
      element('strong', {}, world.name), element('span', {}, world.description ?? ''));
    choice.dataset['world'] = world.name;
    if (world.name === current) choice.setAttribute('aria-current', 'true');
    choice.addEventListener('click', () => {
      dialog.close();
      onChoice(world.name);
    });
    list.append(element('li', {}, choice));
  }
  list.querySelector<HTMLElement>('[aria-current]')?.focus();
  const queue = pictures.values();
  for (let n = 0; n < picturesAtOnce; ++n) void fillPictures(queue, closed.signal);
}

const keys: readonly (readonly [string, string])[] = [
  ['Arrows, W A S D', 'move'],
  ['R, F', 'move up, down'],
  ['Q, E', 'turn left, right'],
  ['Page Up, Page Down', 'look up, down'],
  ['+, −', 'move closer, away'],
  ['Shift', 'four times as fast'],
  ['M', 'orbit or fly'],
  ['1 to 8', 'choose a layer'],
  ['C', 'contour lines on, off'],
  ['P', 'profile between two points: click them, or press Enter for the middle of the picture'],
  ['H', 'back to the first view'],
  ['O', 'choose a world'],
  ['Tab', 'next control of the panel'],
  ['Escape', 'close the profile; keys move the camera again'],
];
const gestures: readonly (readonly [string, string])[] = [
  ['Drag, one finger', 'move the ground, turn a planet; when flying, look around'],
  ['Right button, Shift and drag', 'turn about the point under the pointer'],
  ['Wheel, two fingers', 'move closer, away; two fingers also turn and tilt'],
];

export function showKeys(): void {
  const table = (rows: readonly (readonly [string, string])[]): HTMLElement => element('dl',
    {className: 'keys'}, ...rows.flatMap(
      ([name, what]) => [element('dt', {}, name), element('dd', {}, what)]));
  open('Keys', table(keys), element('h3', {}, 'Mouse and touch'), table(gestures),
    element('p', {className: 'small'},
      element('a', {href: '/assets/licenses.txt', target: '_blank'}, 'Licences of the libraries in this page')));
}

// Asks whether the server may make a world that it does not have. Calls back once, on closing.
export function proposeWorld(
  name: string, changes: readonly string[], onAnswer: (create: boolean) => void): HTMLDialogElement {
  let create = false;
  const why = changes.length > 0
    ? `This link shows the world ${name} with changes. The server does not have that world yet, but can make it:`
    : `The server no longer has the world ${name}, but can make it again.`;
  const dialog = open('Create a world?',
    element('p', {}, why),
    element('ul', {}, ...changes.map((change) => element('li', {}, change))),
    element('p', {className: 'choices'},
      button('Create this world', '', () => { create = true; dialog.close(); }, 'create-world'),
      button(changes.length > 0 ? 'Show it unchanged' : 'Not now', '', () => dialog.close(), 'not-create')));
  dialog.addEventListener('close', () => onAnswer(create));
  return dialog;
}

// Asks for a token.
export function askToken(onToken: (token: string) => void): void {
  const input = element('input', {type: 'password', autocomplete: 'off', required: true, id: 'token'});
  const form = element('form', {method: 'dialog'},
    element('label', {htmlFor: 'token'}, 'This server asks for a token. It is kept until this tab is closed.'),
    input, element('button', {}, 'Continue'));
  open('Token', form);
  form.addEventListener('submit', () => onToken(input.value));
}
