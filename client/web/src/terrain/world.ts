// The server's worlds: their documents, and the requests for them.
import {LayerName, isLayer} from '../codec/layers';

// A world's showplace, as thalweg.v1.Showplace; documents leave out values of 0.
export interface Showplace {
  readonly east_m?: number;
  readonly south_m?: number;
  readonly side_m: number;
  readonly heading_deg?: number;
  readonly pitch_deg?: number;
  // The camera's height in sides of the square.
  readonly height?: number;
  // The square's middle on a planet.
  readonly latitude_deg?: number;
  readonly longitude_deg?: number;
}

// The climate, as means of many years.
export interface Climate {
  // Rain and snow of a year, in millimetres.
  rain_mm?: number;
}

// A specification as JSON (proto/thalweg/v1/world.proto), with its defaults filled in.
export interface WorldSpec {
  name: string;
  description?: string;
  seed?: string | number;
  sea_level_m?: number;
  cell_size_m: number;
  levels: number;
  showplace: Showplace;
  // Only for a planet.
  sphere?: {radius_m: number};
  climate?: Climate;
  base?: object;
  steepness?: object;
  height_curve?: {points: {in: number; out: number}[]};
  nodes?: {name: string; node: object}[];
  rules?: LevelRule[];
}

// A message of a stage: its numbers, and messages in it.
export interface StageNumbers {
  [name: string]: number | StageNumbers;
}

export interface LevelRule {
  detail?: Record<string, number>;
  // Each stage has one member, which is named after its kind.
  stages?: StageNumbers[];
}

export interface World {
  // In hexadecimal: it identifies the terrain for ever.
  readonly id: string;
  // The world's name in URLs of tiles: the id, so that browsers may cache tiles for ever. Worlds with a seed of
  // their own (NAME@SEED) are made on demand and have only that name.
  readonly address: string;
  readonly spec: WorldSpec;
  readonly layers: ReadonlySet<LayerName>;
  // Whether lakes stand at other levels than the sea.
  readonly hasLakes: boolean;
}

// An error from the server; its message is for people.
export class ServerError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

const tokenKey = 'thalweg-token';

// Sets the token for a server that requires one. It is kept until the browser's tab is closed.
export function setToken(token: string): void {
  sessionStorage.setItem(tokenKey, token.trim());
}

function authorization(): Record<string, string> {
  const token = sessionStorage.getItem(tokenKey);
  return token ? {authorization: `Bearer ${token}`} : {};
}

// Rejects with a ServerError, or with a TypeError if there is no connection.
export async function fetchFromServer(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {...init, headers: {...authorization(), ...init.headers}});
  if (!response.ok) throw new ServerError(response.status, await problemOf(response));
  return response;
}

// Returns the text of a problem document (RFC 9457).
async function problemOf(response: Response): Promise<string> {
  try {
    const problem = await response.json() as {title?: string; detail?: string};
    return problem.detail ?? problem.title ?? statusText(response);
  } catch {
    return statusText(response);
  }
}

function statusText({status}: Response): string {
  return `the server answered with status ${status}`;
}

// Returns the text of an error, for people.
export function problemText(error: unknown): string {
  if (error instanceof TypeError) return 'the server does not answer: check that it runs and can be reached';
  return error instanceof Error ? error.message : String(error);
}

// The parts of proto/thalweg/v1/http.proto that the viewer needs.
interface WorldDocument {
  world: {id: string};
  layers: {name: string}[];
  has_lakes?: boolean;
  spec: WorldSpec;
}

// A world of the server's list.
export interface WorldSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly levels: number;
  readonly cell_size_m: number;
  // Only for a planet.
  readonly radius_m?: number;
  readonly showplace: Showplace;
}

function worldOf(document: WorldDocument, address = document.world.id): World {
  const names = document.layers.map(({name}) => name);
  return {
    id: document.world.id,
    address,
    spec: document.spec,
    hasLakes: document.has_lakes ?? false,
    layers: new Set(names.filter(isLayer)),
  };
}

// Returns every world, page by page.
export async function listWorlds(): Promise<readonly WorldSummary[]> {
  const worlds: WorldSummary[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const response = await fetchFromServer(`v1/worlds${token && `?page_token=${encodeURIComponent(token)}`}`);
    const page = await response.json() as {worlds?: WorldSummary[]; next_page_token?: string};
    worlds.push(...page.worlds ?? []);
    token = page.next_page_token;
  }
  return worlds;
}

// Returns a world by its name, NAME@SEED or id.
export async function getWorld(name: string): Promise<World> {
  const response = await fetchFromServer(`v1/worlds/${encodeURIComponent(name)}`);
  const document = await response.json() as WorldDocument;
  return worldOf(document, name.includes('@') ? encodeURIComponent(name) : undefined);
}

// The same; undefined if the server has no such world.
export async function findWorld(name: string): Promise<World | undefined> {
  try {
    return await getWorld(name);
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return undefined;
    throw error;
  }
}

// Makes a world, or finds the one with the same terrain.
export async function createWorld(spec: WorldSpec): Promise<World> {
  const response = await fetchFromServer('v1/worlds', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(spec),
  });
  return worldOf(await response.json() as WorldDocument);
}

// Returns the layers that the picture of a world needs.
export function surfaceLayers(world: World): LayerName[] {
  const layers: LayerName[] = ['height', 'normal'];
  if (world.layers.has('flow')) layers.push('flow');
  if (world.layers.has('water-depth')) layers.push('water-depth');
  if (world.layers.has('cover')) layers.push('cover');
  // Only lakes need this layer, because the sea's level is known.
  if (world.hasLakes && world.layers.has('water-level')) layers.push('water-level');
  return layers;
}
