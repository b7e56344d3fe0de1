// A server below a path, behind nginx with TLS: the viewer, the examples, and every address in every document.
import {type APIRequestContext, request} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {watchedPage} from './harness/browser';
import {crawl} from './harness/crawl';
import {browser, useBrowser} from './harness/fixture';
import {type Proxy, freePort, startProxy} from './harness/proxy';
import {type Server, startServer} from './harness/server';
import {colorCount, openView, pictureOf} from './harness/viewer_page';

const path = '/terrain';
const forwarded = 'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;';

interface Setup {
  readonly name: string;
  readonly flags: (origin: string) => string[];
  readonly location: (server: string) => string;
  // Whether addresses work.
  readonly works: boolean;
}

const setups: readonly Setup[] = [
  {
    name: 'a proxy that takes the path off and says so', works: true,
    flags: () => ['--trusted-proxies', '127.0.0.0/8'],
    location: (server) => `proxy_pass ${server}/; ${forwarded} proxy_set_header X-Forwarded-Prefix ${path};`,
  },
  {
    name: 'a proxy that passes the path on, to a server that knows its address', works: true,
    flags: (origin) => ['--http-url', `${origin}${path}/`],
    location: (server) => `proxy_pass ${server}; ${forwarded}`,
  },
  {
    name: 'a proxy that takes the path off and says nothing', works: false,
    flags: () => ['--trusted-proxies', '127.0.0.0/8'],
    location: (server) => `proxy_pass ${server}/; ${forwarded}`,
  },
];

useBrowser();

describe.each(setups)('$name', ({flags, location, works}) => {
  let server: Server;
  let proxy: Proxy;
  let client: APIRequestContext;

  beforeAll(async () => {
    const port = await freePort();
    server = await startServer(...flags(`https://127.0.0.1:${port}`));
    proxy = await startProxy(port, path, location(server.url));
    client = await request.newContext({ignoreHTTPSErrors: true});
  });

  afterAll(async () => {
    await client?.dispose();
    await proxy?.stop();
    await server?.stop();
  });

  it('serves every link of its documents, unless misconfigured', async () => {
    const base = `${proxy.origin}${path}`;
    const {followed, outside} = await crawl(client, base, [
      '/v1/worlds?page_size=2', '/v1/worlds/shire', '/v1/worlds/marble', '/v1/worlds/marble/3dtiles/tileset.json',
      '/v1/worlds/marble/3dtiles/boxes.json', '/examples/', '/', '/assets/viewer.js',
    ], works ? 400 : 40);
    const broken = [...followed].filter(([, status]) => status !== 200);
    if (!works) {
      expect(outside.length).toBeGreaterThan(5);
      return;
    }
    expect(outside).toEqual([]);
    expect(broken).toEqual([]);
    expect(followed.size).toBeGreaterThan(30);
  });

  // Its addresses are relative, so it works behind any proxy.
  it('shows the viewer', async () => {
    const {page, faults} = await watchedPage(browser, proxy.origin, {ignoreHTTPSErrors: true, viewport: {width: 300, height: 200}});
    const strays: string[] = [];
    page.on('request', (asked) => {
      if (asked.url().startsWith('http') && !asked.url().startsWith(`${proxy.origin}${path}/`)) strays.push(asked.url());
    });
    await openView(page, `${proxy.origin}${path}`, 'world=shire');
    expect(colorCount(await pictureOf(page))).toBeGreaterThan(20);
    expect(strays).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('lists worlds and examples', async () => {
    const {page, faults} = await watchedPage(browser, proxy.origin, {ignoreHTTPSErrors: true});
    await page.goto(`${proxy.origin}${path}/examples/`);
    await page.waitForSelector('tr:has-text("shire")');
    expect(faults).toEqual([]);
  });
});
