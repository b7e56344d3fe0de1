// The page's address, which is a link to what is shown.

const delayMs = 400;

export class Address {
  private timer = 0;

  // `fragmentNow` returns the link's fragment without '#'; undefined while the address must stay.
  constructor(private readonly fragmentNow: () => string | undefined) {}

  // Whether the address matches the picture.
  get settled(): boolean {
    return this.timer === 0;
  }

  // Delayed, because browsers allow only few changes a second.
  updateSoon(): void {
    if (this.timer === 0) this.timer = window.setTimeout(() => this.update(), delayMs);
  }

  update(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    const fragment = this.fragmentNow();
    if (fragment !== undefined && `#${fragment}` !== location.hash) {
      history.replaceState(null, '', `#${fragment}`);
    }
  }
}
