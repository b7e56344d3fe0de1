// When to choose tiles again: soon after the camera has moved or facts came, but not every frame.

const minBetweenMs = 80;
// The pause after a choice, as a multiple of the time that the choice took.
const restFactor = 6;

export class ChoiceTimer {
  // Whether the camera has moved since the last choice.
  stale = true;
  private last = -Infinity;
  private tookMs = 0;

  // Lets the next choice happen at once.
  restart(): void {
    this.last = -Infinity;
  }

  isDue(now: number): boolean {
    return now - this.last > Math.max(minBetweenMs, restFactor * this.tookMs);
  }

  // Makes a choice, and measures its time.
  run(now: number, choose: () => void): void {
    this.stale = false;
    this.last = now;
    const began = performance.now();
    choose();
    this.tookMs = performance.now() - began;
  }
}
