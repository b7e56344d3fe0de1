// A web site of a few files, on an origin of its own.
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

// Files by path: type and content.
export async function serveFiles(
  files: Readonly<Record<string, readonly [string, string | Buffer]>>): Promise<Site> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://host').pathname];
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
