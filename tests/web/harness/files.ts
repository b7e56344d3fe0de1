// A web site with a few files, on its own origin.
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {extname, join, normalize} from 'node:path';

export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

// The content type and the content.
export type File = readonly [string, string | Buffer];

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css', '.html': 'text/html', '.jpg': 'image/jpeg', '.js': 'text/javascript',
  '.json': 'application/json', '.mjs': 'text/javascript', '.png': 'image/png', '.svg': 'image/svg+xml', '.wasm': 'application/wasm',
};

// The file of a path, if one of the folders has it. The keys of `folders` are beginnings of paths.
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

// Serves files by their paths, and whole folders by the beginnings of paths.
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
