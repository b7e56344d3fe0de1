// Follows the addresses in a server's documents.
import type {APIRequestContext} from 'playwright-core';

// What stands for a part of an address in a document; null where the document itself says it.
const parts: Readonly<Record<string, string>> = {
  level: '1', x: '0', y: '0', z: '2', ext: 'png', face: '0', picture: 'relief', version: '1',
};

export interface Crawl {
  // Every address that was followed, with its status.
  readonly followed: ReadonlyMap<string, number>;
  // Addresses that are not below the base.
  readonly outside: readonly string[];
}

// The addresses in a document: texts that begin like one, and the `uri`s of tilesets.
function addressesIn(document: unknown, key = ''): string[] {
  if (typeof document === 'string') {
    return /^(https?:\/|\/[^/ ])/.test(document) || key === 'uri' ? [document] : [];
  }
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    addressesIn(value, Array.isArray(document) ? key : name));
}

// Implicit tilings count tiles by their own names, and a map's tiles begin at its coarsest zoom.
function filledIn(address: string, {minzoom}: {minzoom?: number}): string {
  const values: Readonly<Record<string, string>> = address.includes('3dtiles') || address.includes('.glb') || address.includes('subtree')
    ? {...parts, level: '0'} : {...parts, z: String(minzoom ?? 0)};
  return address.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name);
}

// Fetches the documents from `starts` on and all that their addresses lead to, up to a number of them. Documents of
// JSON are read in turn.
export async function crawl(request: APIRequestContext, base: string, starts: readonly string[], most = 400): Promise<Crawl> {
  const followed = new Map<string, number>();
  const outside: string[] = [];
  const left = starts.map((start) => `${base}${start}`);
  while (left.length > 0 && followed.size < most) {
    const url = left.shift()!;
    if (followed.has(url)) continue;
    const answer = await request.get(url);
    followed.set(url, answer.status());
    if (!answer.ok() || !/json/.test(answer.headers()['content-type'] ?? '')) continue;
    const document = await answer.json() as {minzoom?: number};
    for (const address of addressesIn(document)) {
      const next = new URL(filledIn(address, document), url).href;
      if (next.startsWith(`${base}/`)) left.push(next);
      else outside.push(`${url}: ${address}`);
    }
  }
  return {followed, outside};
}
