// The run's server and browser for the tests of a file, and a page for each test. A file begins with one of these
// functions.
import {type Browser, type Page, chromium} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, expect, inject} from 'vitest';
import {watchedPage} from './browser';
import type {Addresses} from './server';

// These are set while tests run.
export let server: Addresses;
export let browser: Browser;
// These are set only with usePage.
export let page: Page;
export let faults: string[];

export function useServer(): void {
  beforeAll(() => { server = inject('server'); });
}

// With `keepsPages`, pages stay open until the last test has run. Otherwise they are closed after each test.
export function useBrowser({keepsPages = false} = {}): void {
  useServer();
  beforeAll(async () => { browser = await chromium.connect(inject('browser')); });
  afterAll(async () => { await browser?.close(); });
  if (keepsPages) return;
  afterEach(async () => { for (const context of browser.contexts()) await context.close(); });
}

// Each test gets a page, which must have no faults at the end.
export function usePage(): void {
  // `afterEach` hooks run from the last to the first, so the page is closed before this one.
  afterEach(() => { expect(faults).toEqual([]); });
  useBrowser();
  beforeEach(async () => { ({page, faults} = await watchedPage(browser, server.url)); });
}
