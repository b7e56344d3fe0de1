// The system's Chromium, which draws in software, and pages that record faults.
import type {Browser, BrowserContextOptions, LaunchOptions, Page} from 'playwright-core';

const executablePath = process.env['THALWEG_CHROMIUM'] ?? '/usr/bin/chromium';

export const chromiumOptions: LaunchOptions = {
  executablePath,
  args: [
    '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
};

export interface Watched {
  readonly page: Page;
  // Console errors, uncaught exceptions and requests to other hosts.
  readonly faults: string[];
}

// A page that records faults: every error, and every request outside `origin` to an address that does
// not begin with `beyond`.
export async function watchedPage(
  browser: Browser, origin: string, options: BrowserContextOptions = {},
  beyond?: string): Promise<Watched> {
  const context = await browser.newContext({viewport: {width: 720, height: 400}, ...options});
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    const allowed = url.origin === origin || ['blob:', 'data:'].includes(url.protocol) ||
      (beyond !== undefined && url.href.startsWith(beyond));
    if (!allowed) {
      faults.push(`outside request: ${request.url()}`);
    }
  });
  return {page, faults};
}

// Waits until a script's value is true. Playwright's own wait evaluates the text in the page, which
// the page's policy may forbid.
export async function until(page: Page, script: string, timeoutMs = 20_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !await page.evaluate(script);) {
    if (Date.now() > end) throw new Error(`wait until ${script}: it was not after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
