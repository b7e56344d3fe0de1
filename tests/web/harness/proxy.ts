// nginx in front of a server: TLS, and the server below a path.
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {connect, createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const startMs = 60_000;

export interface Proxy {
  // "https://127.0.0.1:PORT".
  readonly origin: string;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const say = (open: boolean) => () => { socket.destroy(); resolve(open); };
    socket.once('connect', say(true)).once('error', say(false));
  });
}

// A certificate for 127.0.0.1 that nobody has signed.
function makeCertificate(folder: string): void {
  execFileSync('openssl', [
    'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost',
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem'),
  ], {stdio: 'pipe'});
}

// Starts nginx at a port. `location` is what its `location` block of the path says.
export async function startProxy(port: number, path: string, location: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'thalweg-proxy-'));
  makeCertificate(folder);
  mkdirSync(join(folder, 'temporary'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'temporary', name)};`).join(' ');
  writeFileSync(join(folder, 'nginx.conf'), `
daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http {
  ${temporary} access_log off;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${join(folder, 'cert.pem')};
    ssl_certificate_key ${join(folder, 'key.pem')};
    proxy_http_version 1.1;
    proxy_read_timeout 70s;
    location ${path}/ { ${location} }
    location = /favicon.ico { return 204; }
  }
}
`);
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {stdio: ['ignore', 'pipe', 'pipe']});
  let log = '';
  let ended = false;
  child.on('error', (error) => { ended = true; log += error.message; });
  child.on('exit', () => { ended = true; });
  child.stderr.on('data', (data: Buffer) => { log = (log + data.toString()).slice(-4000); });
  const stop = async (): Promise<void> => {
    if (!ended) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(folder, {recursive: true, force: true});
  };
  for (const until = Date.now() + startMs; !ended && Date.now() < until;) {
    if (await answers(port)) return {origin: `https://127.0.0.1:${port}`, stop};
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`nginx did not open port ${port} (deploy/packages quick installs it)\n${log}`);
}
