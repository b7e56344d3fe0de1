// How long frames took, for the panel of statistics and for the choice of detail.

const kept = 240;

export class FrameTimes {
  private readonly times: number[] = [];
  private last: number | undefined;

  // Once a frame that is drawn, with its time; a pause before it does not count.
  add(now: number, afterPause: boolean): void {
    if (this.last !== undefined && !afterPause) {
      this.times.push(now - this.last);
      if (this.times.length > kept) this.times.shift();
    }
    this.last = now;
  }

  forget(): void {
    this.times.length = 0;
    this.last = undefined;
  }

  get count(): number {
    return this.times.length;
  }

  // The time in milliseconds that the given share of the frames stayed under; undefined without frames.
  quantile(share: number): number | undefined {
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
  }
}
