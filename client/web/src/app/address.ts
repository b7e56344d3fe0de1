// The page's address, which is a link to what is shown.

const delayMs = 400;

export class Address {
  private timer = 0;
  // The page's fragment as this wrote it or follow() saw it. Any other one is a link that the user opened, which the page's
  // hashchange event is about to tell.
  private known = location.hash;

  // `fragmentNow` returns the link's fragment without '#'; undefined while the address must stay.
  constructor(private readonly fragmentNow: () => string | undefined) {}

  // To be called when the page has another address.
  follow(): void {
    this.known = location.hash;
  }

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
    if (location.hash !== this.known) return;
    const fragment = this.fragmentNow();
    if (fragment === undefined || `#${fragment}` === location.hash) return;
    history.replaceState(null, '', `#${fragment}`);
    this.known = location.hash;
  }
}
