// Which worlds are opened and made, and when the user is asked first.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {changedSpec} from '../src/state/parameters';
import {defaultState} from '../src/state/view_state';
import {MadeWorlds} from '../src/terrain/made_worlds';
import {WorldSpec, findWorld, listWorlds} from '../src/terrain/world';
import {WorldOpener} from '../src/app/world_opener';

// The questions that were asked, and their answers.
const questions = vi.hoisted(() => [] as {
  name: string; changes: readonly string[]; open: boolean; answer: (create: boolean) => void;
}[]);
vi.mock('../src/ui/dialogs', () => ({
  proposeWorld(name: string, changes: readonly string[], onAnswer: (create: boolean) => void) {
    const question = {
      name, changes, open: true,
      answer(create: boolean) { if (question.open) { question.open = false; onAnswer(create); } },
      close() { question.answer(false); },
    };
    questions.push(question);
    return question;
  },
}));

const shire: WorldSpec = {
  name: 'shire', description: 'Hills', seed: '3', showplace: {side_m: 1000}, cell_size_m: 512, levels: 12, sea_level_m: 0,
  base: {constant: 5}, rules: [{detail: {roughness: 0.5}}],
};

// A server with room for this many worlds besides shire, which records the requests.
class FakeServer {
  readonly requests: string[] = [];
  readonly worlds = new Map<string, WorldSpec>([['shire', shire]]);

  get posts(): string[] {
    return this.requests.filter((request) => request.startsWith('POST'));
  }

  fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    this.requests.push(`${init.method ?? 'GET'} ${url}`);
    if (init.method === 'POST') {
      const spec = JSON.parse(String(init.body)) as WorldSpec;
      this.worlds.set(spec.name, spec);
      return this.answer(201, this.documentOf(spec));
    }
    const name = decodeURIComponent(url.replace('v1/worlds/', ''));
    const spec = [...this.worlds.values()].find((one) => name === one.name || name === this.idOf(one));
    return spec ? this.answer(200, this.documentOf(spec))
      : this.answer(404, {detail: `unknown world '${name}'`});
  };

  idOf(spec: WorldSpec): string {
    return `id-of-${spec.name}`;
  }

  private documentOf(spec: WorldSpec): object {
    return {world: {id: this.idOf(spec)}, layers: [{name: 'height'}], spec};
  }

  private answer(status: number, body: object): Response {
    return new Response(JSON.stringify(body), {status});
  }
}

let server: FakeServer;

beforeEach(() => {
  questions.length = 0;
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('sessionStorage', {getItem: () => null});
  vi.stubGlobal('location', {hash: '#world=shire&set=relief:1.5'});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the list of worlds', () => {
  it('is read page by page', async () => {
    const pages: Record<string, object> = {
      'v1/worlds': {worlds: [{name: 'a'}, {name: 'b'}], next_page_token: 'b'},
      'v1/worlds?page_token=b': {worlds: [{name: 'c'}]},
    };
    vi.stubGlobal('fetch', async (url: string) => new Response(JSON.stringify(pages[url])));
    expect((await listWorlds()).map(({name}) => name)).toEqual(['a', 'b', 'c']);
  });
});

describe('a created world', () => {
  const changed = changedSpec(shire, {relief: 1.5});

  it('is found by its terrain, whatever the order of its fields', async () => {
    const made = new MadeWorlds();
    expect(await made.find(changed)).toBeUndefined();
    const {name, rules, ...others} = changed;
    server.worlds.set(name, {rules, ...others, description: 'Another text', name} as WorldSpec);
    expect((await made.find(changed))?.id).toBe(server.idOf(changed));
    // The name may belong to another terrain.
    server.worlds.set(name, {...changed, sea_level_m: 7});
    expect(await made.find(changed)).toBeUndefined();
    expect(server.posts).toEqual([]);
  });

  it('is remembered', async () => {
    const made = new MadeWorlds();
    const world = await made.create(changed);
    expect(made.has(world)).toBe(true);
    expect(made.has((await findWorld('shire'))!)).toBe(false);
  });

  it('is reported as an error if the server fails', async () => {
    vi.stubGlobal('fetch', async () => new Response('{}', {status: 503}));
    await expect(new MadeWorlds().find(changed)).rejects.toThrow('status 503');
  });
});

describe('the opener', () => {
  const link = {...defaultState, world: 'shire', changes: {relief: 1.5, sea: 100}};
  const changed = changedSpec(shire, link.changes);
  const fromLink = {keepsCamera: false, mayCreate: false};
  const fromPanel = {keepsCamera: true, mayCreate: true};

  function opener() {
    const actions = {
      show: vi.fn(), restored: vi.fn(), progress: vi.fn(), failed: vi.fn(), hasWorld: vi.fn(() => false),
    };
    return {actions, opener: new WorldOpener(actions)};
  }
  const settled = (): Promise<void> => vi.waitFor(() => expect(questions.length).toBeGreaterThan(0));

  it('creates no world from a link until somebody agrees', async () => {
    const {actions, opener: one} = opener();
    await one.open(link, fromLink);
    expect(server.posts).toEqual([]);
    expect(actions.show).not.toHaveBeenCalled();
    expect(one.isOpening).toBe(true);
    expect(questions).toMatchObject([{name: 'shire', changes: ['Relief × 1.50', 'Sea level +100 m']}]);
    questions[0]!.answer(true);
    await vi.waitFor(() => expect(actions.show).toHaveBeenCalledTimes(1));
    expect(server.posts).toHaveLength(1);
    expect(actions.show.mock.calls[0]![0].id).toBe(server.idOf(changed));
    expect(actions.show.mock.calls[0]!.slice(1)).toEqual([link, location.hash]);
    expect(one.isOpening).toBe(false);
  });

  it('shows the unchanged world to those who decline', async () => {
    const {actions, opener: one} = opener();
    await one.open(link, fromLink);
    questions[0]!.answer(false);
    await vi.waitFor(() => expect(actions.show).toHaveBeenCalledTimes(1));
    expect(server.posts).toEqual([]);
    expect(actions.show.mock.calls[0]![1].changes).toEqual({});
  });

  it('shows the unchanged world, and says why, if the server creates none', async () => {
    const {actions, opener: one} = opener();
    const opened = one.open(link, fromLink);
    await settled();
    await opened;
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => init.method === 'POST'
      ? Promise.resolve(new Response('{"detail": "missing scope create-worlds"}', {status: 403}))
      : server.fetch(url, init));
    questions[0]!.answer(true);
    await vi.waitFor(() => expect(actions.failed).toHaveBeenCalled());
    expect(actions.show.mock.calls.map(([world, state]) => [world.spec.name, state.changes])).toEqual([['shire', {}]]);
    expect(String(actions.failed.mock.calls[0]![0])).toContain('missing scope create-worlds');
  });

  it('shows the default world instead of a missing one', async () => {
    server.worlds.set(defaultState.world, {...shire, name: defaultState.world});
    const {actions, opener: one} = opener();
    await one.open({...defaultState, world: 'atlantis'}, fromLink);
    await vi.waitFor(() => expect(actions.show).toHaveBeenCalled());
    expect(String(actions.failed.mock.calls[0]![0])).toContain("unknown world 'atlantis'");
    expect(actions.show.mock.calls[0]![0].spec.name).toBe(defaultState.world);
    expect(actions.show.mock.calls[0]![2]).toBe('');
    // If another world is on show, it stays.
    actions.hasWorld.mockReturnValue(true);
    await one.open({...defaultState, world: 'atlantis'}, fromLink);
    expect(actions.show).toHaveBeenCalledTimes(1);
  });

  it('shows an existing changed world without asking', async () => {
    server.worlds.set(changed.name, changed);
    const {actions, opener: one} = opener();
    await one.open(link, fromLink);
    expect(actions.show).toHaveBeenCalledTimes(1);
    expect(server.posts).toEqual([]);
    expect(questions).toEqual([]);
  });

  it('creates the world of a slider, and names the address with the camera', async () => {
    const {actions, opener: one} = opener();
    await one.open(link, fromPanel);
    expect(server.posts).toHaveLength(1);
    expect(actions.show.mock.calls[0]![2]).toBeUndefined();
    expect(questions).toEqual([]);
  });

  it('stops asking about a link that another one has replaced', async () => {
    const {actions, opener: one} = opener();
    await one.open(link, fromLink);
    await one.open({...link, changes: {}}, fromLink);
    expect(questions[0]!.open).toBe(false);
    expect(actions.show).toHaveBeenCalledTimes(1);
    expect(actions.show.mock.calls[0]![1].changes).toEqual({});
    expect(server.posts).toEqual([]);
  });

  it('recreates a world that made room for others', async () => {
    vi.useFakeTimers();
    const {actions, opener: one} = opener();
    await one.open(link, fromPanel);
    const world = actions.show.mock.calls[0]![0];
    server.worlds.delete(changed.name);
    // Many tiles are missing at the same time.
    await Promise.all([one.restore(world), one.restore(world), one.restore(world)]);
    expect(server.posts).toHaveLength(2);
    expect(actions.restored).toHaveBeenCalledTimes(1);
    expect(actions.restored.mock.calls[0]![0].id).toBe(world.id);
    // Not again at once.
    server.worlds.delete(changed.name);
    const again = one.restore(world);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(server.posts).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2_000);
    await again;
    expect(server.posts).toHaveLength(3);
    expect(questions).toEqual([]);
  });

  it('asks before it recreates a world that this page did not create', async () => {
    server.worlds.set(changed.name, changed);
    const {actions, opener: one} = opener();
    await one.open(link, fromLink);
    const world = actions.show.mock.calls[0]![0];
    server.worlds.delete(changed.name);
    await one.restore(world);
    await settled();
    expect(server.posts).toEqual([]);
    questions[0]!.answer(false);
    await one.restore(world);
    expect(questions).toHaveLength(1);
    expect(server.posts).toEqual([]);
  });

  it('fetches again once the world exists', async () => {
    const {actions, opener: one} = opener();
    await one.open({...link, changes: {}}, fromLink);
    const world = actions.show.mock.calls[0]![0];
    await one.restore(world);
    expect(actions.restored).toHaveBeenCalledTimes(1);
    expect(server.posts).toEqual([]);
  });
});
