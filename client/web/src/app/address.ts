// The page's address, which is a link to what is shown.

const delayMs = 400;

export class Address {
  private timer = 0;

  // `fragmentNow` is the link's fragment without its '#'; undefined while the address has to stay.
  constructor(private readonly fragmentNow: () => string | undefined) {}

  // Whether the address matches the picture.
  get settled(): boolean {
    return this.timer === 0;
  }

  // Not at every frame: browsers allow few changes a second.
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
