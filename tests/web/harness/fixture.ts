// Shared by the tests of a file: a server, a browser, and a page for each test. A file begins with one of the
// functions.
import type {Browser, Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, expect} from 'vitest';
import {launch, watchedPage} from './browser';
import {type Server, startServer} from './server';

// These are there as long as tests run.
export let server: Server;
export let browser: Browser;
// Only with usePage.
export let page: Page;
export let faults: string[];

export function useServer(): void {
  beforeAll(async () => { server = await startServer(); });
  afterAll(async () => { await server?.stop(); });
}

// With `keepsPages`, pages are open until the last test has run; otherwise each test's are closed after it.
export function useBrowser({keepsPages = false} = {}): void {
  useServer();
  beforeAll(async () => { browser = await launch(); });
  afterAll(async () => { await browser?.close(); });
  if (keepsPages) return;
  afterEach(async () => { for (const context of browser.contexts()) await context.close(); });
}

// Tests must leave no faults of their page.
export function usePage(): void {
  // Hooks that clean up run from the last to the first: the page is closed by then.
  afterEach(() => { expect(faults).toEqual([]); });
  useBrowser();
  beforeEach(async () => { ({page, faults} = await watchedPage(browser, server.url)); });
}
