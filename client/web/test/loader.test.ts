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

  it('asks again, ever later, when a server was away, though nobody wants anew', async () => {
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

  it('asks again when a server was busy', async () => {
    answer(429, 200);
    const taken: string[] = [];
    const loader = new TileLoader();
    loader.want([jobFor(taken)]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(taken).toEqual(['tile']);
  });

  it('takes any other refusal for good', async () => {
    const fetch = answer(404);
    const loader = new TileLoader();
    loader.want([jobFor([])]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(loader.counts.failed).toBe(1);
  });

  it('tells that a tile is missing, and asks again once it is told to', async () => {
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

  it('forgets what nobody wants any more', async () => {
    const fetch = answer(503);
    const loader = new TileLoader();
    loader.want([jobFor([])]);
    await vi.advanceTimersByTimeAsync(500);
    loader.want([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
