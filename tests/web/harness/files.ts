// A web site of a few files, on an origin of its own.
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {extname, join, normalize} from 'node:path';

export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

// Type and content.
export type File = readonly [string, string | Buffer];

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css', '.html': 'text/html', '.jpg': 'image/jpeg', '.js': 'text/javascript',
  '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml', '.wasm': 'application/wasm',
};

// The file of a path in one of the folders, which are named by the beginnings of paths.
function fileIn(folders: Readonly<Record<string, string>>, path: string): File | undefined {
  const prefix = Object.keys(folders).find((one) => path.startsWith(one));
  if (prefix === undefined) return undefined;
  try {
    const file = join(folders[prefix]!, normalize(path.slice(prefix.length)));
    return [types[extname(path)] ?? 'application/octet-stream', readFileSync(file)];
  } catch {
    return undefined;
  }
}

// Files by path, and whole folders by the beginnings of paths.
export async function serveFiles(
  files: Readonly<Record<string, File>>,
  folders: Readonly<Record<string, string>> = {}): Promise<Site> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname;
    const file = files[path] ?? fileIn(folders, path);
    response.writeHead(file ? 200 : 404, {'content-type': file?.[0] ?? 'text/plain'});
    response.end(file?.[1] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
  };
}
