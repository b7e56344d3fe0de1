// How often a slow device draws while tiles come.
import {expect, it} from 'vitest';
import {DrawPace, Fences} from '../src/viewer/draw_pace';

const signaled = 1;

// A device that draws as long as `busy` says.
function device() {
  const state = {busy: false, fences: 0};
  const gl = {
    SYNC_GPU_COMMANDS_COMPLETE: 2, SYNC_STATUS: 3, SIGNALED: signaled, flush: () => undefined,
    fenceSync: () => { ++state.fences; return {}; },
    deleteSync: () => { --state.fences; },
    getSyncParameter: () => state.busy ? 0 : signaled,
  };
  return {state, pace: new DrawPace(gl as unknown as Fences)};
}

it('draws at once when nothing was drawn before', () => {
  expect(device().pace.isDue(0)).toBe(true);
});

it('does not draw before the last frame is drawn', () => {
  const {state, pace} = device();
  pace.drawn(100);
  state.busy = true;
  expect(pace.isDue(60_000)).toBe(false);
});

it('rests three times as long as a frame took, and at most two seconds', () => {
  const {state, pace} = device();
  pace.drawn(-5000);
  // Shaders were compiled for the first frame.
  expect(pace.isDue(-3000)).toBe(true);
  pace.drawn(0);
  expect(pace.isDue(200)).toBe(false);
  expect(pace.isDue(799)).toBe(false);
  expect(pace.isDue(800)).toBe(true);
  pace.drawn(1000);
  expect(pace.isDue(6000)).toBe(false);
  expect(pace.isDue(7999)).toBe(false);
  expect(pace.isDue(8000)).toBe(true);
  expect(state.fences).toBe(0);
});

it('keeps one fence for any number of frames', () => {
  const {state, pace} = device();
  for (let n = 0; n < 10; ++n) pace.drawn(n);
  expect(state.fences).toBe(1);
});
