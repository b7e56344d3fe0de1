// Starts the server and the browser that all files of a run share.
import {chromium} from 'playwright-core';
import type {TestProject} from 'vitest/node';
import {chromiumOptions} from './browser';
import {type Addresses, startServer} from './server';

declare module 'vitest' {
  export interface ProvidedContext {
    server: Addresses;
    // Where Playwright connects to the browser.
    browser: string;
  }
}

export default async function share(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const browser = await chromium.launchServer(chromiumOptions);
  project.provide('server', {url: server.url, grpc: server.grpc});
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.stop();
  };
}
