// The reader of PMTiles finds the tiles of a bake, and they are those of HTTP.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, openSync, readSync, closeSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {type RangeResponse, type Source, PMTiles} from 'pmtiles';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {server, useServer} from './harness/fixture';
import {bytesOf, program} from './harness/server';

class FileSource implements Source {
  private readonly file: number;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'r');
  }

  getKey(): string {
    return this.path;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const buffer = Buffer.alloc(length);
    const got = readSync(this.file, buffer, 0, length, offset);
    return {data: new Uint8Array(buffer.subarray(0, got)).buffer};
  }

  close(): void {
    closeSync(this.file);
  }
}

useServer();

describe('an archive of PMTiles', () => {
  let folder: string;
  let source: FileSource;
  let archive: PMTiles;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'thalweg-pmtiles-'));
    const path = join(folder, 'shire.pmtiles');
    // Three by two tiles of level 2, around the origin.
    execFileSync(join(dirname(program), 'thalweg'), [
      'bake', '--server', server.grpc, '--world', 'shire', '--level', '2', '--x0', '-300', '--y0', '-90',
      '--width', '500', '--height', '200', '--out', path,
    ], {stdio: 'pipe'});
    source = new FileSource(path);
    archive = new PMTiles(source);
  });

  afterAll(() => {
    source?.close();
    rmSync(folder, {recursive: true, force: true});
  });

  it('describes its content', async () => {
    const header = await archive.getHeader();
    expect([header.minZoom, header.maxZoom, header.specVersion]).toEqual([4, 6, 3]);
    // Level 0: four tiles around the middle; level 1: four; level 2: six.
    expect(header.numAddressedTiles).toBe(14);
    const metadata = await archive.getMetadata() as Record<string, string>;
    expect([metadata['name'], metadata['encoding'], metadata['registration']]).toEqual(['shire', 'terrarium', 'corner']);
    expect(header.minLon).toBeCloseTo(360 * 30 / 64 - 180, 5);
    expect(header.maxLon).toBeCloseTo(360 * 33 / 64 - 180, 5);
  });

  it('has the tiles of HTTP, and no others', async () => {
    let found = 0;
    for (const [zoom, first, last] of [[4, 5, 10], [5, 13, 18], [6, 28, 35]] as const) {
      for (let x = first; x <= last; ++x) {
        for (let y = first; y <= last; ++y) {
          const tile = await archive.getZxy(zoom, x, y);
          if (!tile) continue;
          const url = `${server.url}/v1/worlds/shire/xyz/${zoom}/${x}/${y}.terrarium.png?window=4&registration=corner`;
          expect(Buffer.from(tile.data).equals(Buffer.from(await bytesOf(url))), `${zoom}/${x}/${y}`).toBe(true);
          ++found;
        }
      }
    }
    expect(found).toBe(14);
  });
});
