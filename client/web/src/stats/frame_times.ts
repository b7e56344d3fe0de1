// How long frames took, for the statistics and for the choice of detail.

const kept = 240;

export class FrameTimes {
  private readonly times: number[] = [];
  private last: number | undefined;

  // Call it once for each drawn frame, with its time. A pause before the frame does not count.
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

  // The time in milliseconds that this part of the frames stayed below; undefined without frames.
  quantile(share: number): number | undefined {
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
  }
}
