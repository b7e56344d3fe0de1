// The pages of client/examples, which thalwegd serves. Files of npm packages replace the CDN's: a
// page's `integrity` proves that they are the same.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {extname, join} from 'node:path';
import type {Browser, Page, Route} from 'playwright-core';
import {until, type Watched, watchedPage} from './browser';
import type {Addresses} from './server';

const cdn = 'https://cdn.jsdelivr.net/npm/';
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css', '.js': 'text/javascript', '.json': 'application/json', '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
const require = createRequire(import.meta.url);

interface Package {
  readonly folder: string;
  readonly version: string;
}

// The installed package with a name like "@loaders.gl/terrain".
function packageOf(name: string): Package {
  const folder = require.resolve.paths(name)!.map((modules) => join(modules, name))
    .find((one) => { try { return readFileSync(join(one, 'package.json')); } catch { return false; } });
  if (folder === undefined) {
    throw new Error(`the package ${name} is not in node_modules: run npm ci`);
  }
  return {folder, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version};
}

// Answers like the CDN: with files of the installed version, for scripts of any origin.
async function answer(route: Route): Promise<void> {
  const [, name, version, path] = /^((?:@[^/]+\/)?[^@/]+)@([^/]+)\/(.+)$/.exec(
    new URL(route.request().url()).href.slice(cdn.length).replace(/[?#].*$/, ''))!;
  const {folder, version: installed} = packageOf(name!);
  if (version !== installed) {
    throw new Error(`invalid version of ${name} in a page: expected ${installed}, which is installed, got ${version}`);
  }
  await route.fulfill({
    body: readFileSync(join(folder, path!)),
    contentType: types[extname(path!)] ?? 'application/octet-stream',
    headers: {'access-control-allow-origin': '*'},
  });
}

export type Parameters = Readonly<Record<string, string>>;

// Opens a page below /examples/, which then begins to load. Its faults are those of watchedPage, but
// requests to the CDN are allowed.
export async function openExample(
  browser: Browser, server: Addresses, path: string, parameters: Parameters,
  viewport: {width: number; height: number}, token?: string): Promise<Watched> {
  const watched = await watchedPage(browser, server.url, {viewport}, cdn);
  await watched.page.context().route(`${cdn}**`, answer);
  const hash = token === undefined ? '' : `#token=${token}`;
  await watched.page.goto(`${server.url}/examples/${path}?${new URLSearchParams(parameters)}${hash}`);
  return watched;
}

// The page's message.
export async function messageOf(page: Page): Promise<string> {
  await until(page, 'document.querySelector("#message").textContent !== ""');
  return (await page.textContent('#message'))!;
}
