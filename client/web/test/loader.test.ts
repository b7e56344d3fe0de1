// When tiles are asked for again, and when not.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {Job, TileLoader} from '../src/terrain/tile_loader';

// The server's answers, one after another; the last one is repeated.
function answer(...statuses: number[]) {
  const fetch = vi.fn(async () => {
    const status = statuses.length > 1 ? statuses.shift()! : statuses[0]!;
    return new Response('tile', {status});
  });
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('sessionStorage', {getItem: () => null});
  return fetch;
}

function jobFor(taken: string[]): Job {
  return {
    name: 'one', family: 'ones', url: '/one', take: async (bytes) => { taken.push(new TextDecoder().decode(bytes)); },
  };
}

describe('a loader', () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('retries with growing delays while the server is unavailable', async () => {
    const fetch = answer(503, 503, 200);
    const taken: string[] = [];
    const loader = new TileLoader();
    loader.want([jobFor(taken)]);
    await vi.advanceTimersByTimeAsync(999);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1999);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(taken).toEqual(['tile']);
    expect(loader.problem).toBe('');
  });

  it('retries when the server was busy', async () => {
    answer(429, 200);
    const taken: string[] = [];
    const loader = new TileLoader();
    loader.want([jobFor(taken)]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(taken).toEqual(['tile']);
  });

  it('does not retry after any other refusal', async () => {
    const fetch = answer(404);
    const loader = new TileLoader();
    loader.want([jobFor([])]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(loader.counts.failed).toBe(1);
  });

  it('reports a missing tile, and retries on request', async () => {
    const fetch = answer(404, 200);
    const taken: string[] = [];
    const loader = new TileLoader();
    loader.onMissing = vi.fn();
    loader.want([jobFor(taken)]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(loader.onMissing).toHaveBeenCalledTimes(1);
    loader.want([jobFor(taken)]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(1);
    loader.forgive();
    expect(loader.problem).toBe('');
    loader.want([jobFor(taken)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual(['tile']);
  });

  it('forgets tiles that nobody wants any more', async () => {
    const fetch = answer(503);
    const loader = new TileLoader();
    loader.want([jobFor([])]);
    await vi.advanceTimersByTimeAsync(500);
    loader.want([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

// A server that answers when it is told to.
function waiting() {
  const asked: string[] = [];
  const aborted: string[] = [];
  const answers = new Map<string, () => void>();
  vi.stubGlobal('sessionStorage', {getItem: () => null});
  vi.stubGlobal('fetch', (url: string, {signal}: {signal: AbortSignal}) => new Promise<Response>((resolve, reject) => {
    asked.push(url);
    answers.set(url, () => resolve(new Response('tile')));
    signal.addEventListener('abort', () => {
      aborted.push(url);
      reject(signal.reason);
    });
  }));
  const answer = async (...urls: string[]): Promise<void> => {
    for (const url of urls) answers.get(url)!();
    await vi.waitFor(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return {asked, aborted, answer};
}

// Jobs named after their families: "a1" is of family "a".
function jobs(...names: string[]): Job[] {
  return names.map((name) => ({name, family: name[0]!, url: `/${name}`, take: async () => undefined}));
}

describe('a queue', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('requests tiles in the wanted order, at most six at a time', async () => {
    const {asked, answer} = waiting();
    const loader = new TileLoader();
    loader.want(jobs('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
    expect(asked).toEqual(['/a', '/b', '/c', '/d', '/e', '/f']);
    await answer('/c');
    expect(asked.slice(6)).toEqual(['/g']);
  });

  it('requests siblings together, before later tiles', async () => {
    const {asked, answer} = waiting();
    const loader = new TileLoader();
    loader.want(jobs('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4', 'c1'));
    expect(asked).toEqual(['/a1', '/a2', '/a3']);
    await answer('/a2');
    expect(asked.slice(3)).toEqual(['/b1', '/b2', '/b3', '/b4']);
  });

  it('requests the most urgent tiles first, and cancels unwanted ones', async () => {
    const {asked, aborted} = waiting();
    const loader = new TileLoader();
    loader.want(jobs('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
    loader.want(jobs('h', 'b', 'c', 'd', 'e', 'f', 'g'));
    expect(aborted).toEqual(['/a']);
    expect(asked.slice(6)).toEqual(['/h']);
    expect(loader.counts.cancelled).toBe(1);
  });

  it('requests more tiles while others are decoded, up to a limit', async () => {
    const {asked, answer} = waiting();
    const loader = new TileLoader();
    const names = Array.from({length: 26}, (_, n) => String.fromCharCode(97 + n));
    const stuck = jobs(...names).map((job) => ({...job, take: () => new Promise<void>(() => undefined)}));
    loader.want(stuck);
    for (let n = 0; n < asked.length; ++n) await answer(asked[n]!);
    expect(asked.length).toBeGreaterThan(6);
    expect(asked.length).toBeLessThan(20);
  });

  it('does not request a tile that is being decoded', async () => {
    const {asked, answer} = waiting();
    const loader = new TileLoader();
    const stuck = jobs('a').map((job) => ({...job, take: () => new Promise<void>(() => undefined)}));
    loader.want(stuck);
    await answer('/a');
    loader.want(stuck);
    expect(asked).toEqual(['/a']);
    expect(loader.inFlight).toBe(1);
  });
});
