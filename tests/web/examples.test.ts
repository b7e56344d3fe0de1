// The example pages' texts: error messages, and texts about this server's worlds.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {until} from './harness/browser';
import {messageOf, openExample} from './harness/examples';
import {browser, server, useBrowser} from './harness/fixture';
import {openGlobe} from './harness/globe_page';
import {program, Server, startServer} from './harness/server';

const viewport = {width: 400, height: 300};
const pages = ['cesium/', 'cesium/tiles.html', 'maplibre/', 'deckgl/'];

useBrowser();

describe('the examples', () => {
  it('are under 60 lines each', () => {
    const folder = fileURLToPath(new URL('../../client/examples/', import.meta.url));
    const files = (readdirSync(folder, {recursive: true}) as string[]).filter((file) => file.endsWith('.html'));
    expect(files.length).toBe(pages.length + 1);
    for (const file of files) {
      expect(readFileSync(join(folder, file), 'utf8').split('\n').length, file).toBeLessThanOrEqual(60);
    }
  });

  it('are listed with the worlds that they show', async () => {
    const {page, faults} = await openExample(browser, server, '', {}, viewport);
    await page.waitForSelector('tr:has-text("shire")');
    const linksOf = (world: string): Promise<(string | null)[]> => page.locator(`tr:has-text("${world}") a`)
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(await linksOf('marble')).toEqual(pages.map((path) => `${path}?world=marble`));
    expect(await linksOf('shire')).toEqual(['maplibre/?world=shire', 'deckgl/?world=shire']);
    expect(faults).toEqual([]);
  });

  it.each(pages)('say that a world does not exist: %s', async (path) => {
    const {page} = await openExample(browser, server, path, {world: 'nowhere'}, viewport);
    expect(await messageOf(page)).toContain("unknown world 'nowhere'");
  });

  it.each(['cesium/', 'cesium/tiles.html'])('say that a plane is not a planet: %s', async (path) => {
    const {page} = await openExample(browser, server, path, {world: 'shire'}, viewport);
    expect(await messageOf(page)).toContain("expected a planet, got the plane 'shire'");
  });

  it.each(pages)('say that a server does not answer: %s', async (path) => {
    const {page} = await openExample(browser, server, path, {server: 'http://127.0.0.1:1'}, viewport);
    expect(await messageOf(page)).toBe('no answer from http://127.0.0.1:1: check that thalwegd runs there with --http');
  });
});

describe('the examples of a server that asks for tokens', () => {
  let folder: string;
  let guarded: Server;
  let token: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thalweg-tokens-'));
    const file = join(folder, 'tokens');
    const made = execFileSync(program, ['token', '--name', 'reader', '--scopes', 'read'], {encoding: 'utf8'});
    token = /^thalweg_.*$/m.exec(made)![0];
    writeFileSync(file, /^token \{.*$/m.exec(made)![0]);
    guarded = await startServer('--tokens', file);
  });

  afterAll(async () => {
    await guarded?.stop();
    rmSync(folder, {recursive: true, force: true});
  });

  it.each(['', ...pages])('ask for one: %s', async (path) => {
    const {page} = await openExample(browser, guarded, path, {}, viewport);
    expect(await messageOf(page)).toContain('add #token=');
  });

  it('send it for everything that they load', async () => {
    const {page, faults} = await openGlobe(browser, guarded, {world: 'marble'}, 'tiles.html', token);
    await until(page, 'globe.tileset.tilesLoaded && globe.tileset._selectedTiles.length > 0', 90_000);
    expect(faults).toEqual([]);
    await page.context().close();
    const map = await openExample(browser, guarded, 'maplibre/', {world: 'shire'}, viewport, token);
    await until(map.page, 'map.loaded?.() && map.areTilesLoaded()', 60_000);
    expect(map.faults).toEqual([]);
    await map.page.context().close();
    const deck = await openExample(browser, guarded, 'deckgl/', {world: 'pumice'}, viewport, token);
    await until(deck.page, 'globalThis.view?.layerManager?.getLayers()[0]?.isLoaded', 60_000);
    expect(deck.faults).toEqual([]);
  });
});
