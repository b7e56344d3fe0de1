// A separate server for a test, with the worlds of worlds/.
import {ChildProcess, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
export const program = process.env['THALWEGD'] ?? join(here, '../../build/release/bin/thalwegd');
const startMs = 60_000;
const stopMs = 15_000;

export interface Addresses {
  // "http://127.0.0.1:PORT".
  readonly url: string;
  // "127.0.0.1:PORT", of gRPC.
  readonly grpc: string;
}

export interface Server extends Addresses {
  readonly pid: number;
  stop(): Promise<void>;
}

// The content of a URL.
export async function bytesOf(
  url: string, headers: Readonly<Record<string, string>> = {}): Promise<ArrayBuffer> {
  const answer = await fetch(url, {headers});
  if (!answer.ok) throw new Error(`get ${url}: ${answer.status} ${await answer.text()}`);
  return answer.arrayBuffer();
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

// Waits for the number that the server writes into a file, as long as the server runs.
async function numberFrom(file: string, child: ChildProcess, log: () => string): Promise<number> {
  for (const until = Date.now() + startMs; Date.now() < until;) {
    if (child.exitCode !== null) break;
    if (existsSync(file)) {
      const port = Number(readFileSync(file, 'utf8'));
      if (port > 0) return port;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${program} wrote no port to ${file}\n${log()}`);
}

// If npm failed during the build, the server has empty files instead of the viewer.
async function expectViewer(url: string): Promise<void> {
  const script = await fetch(`${url}/assets/viewer.js`);
  if (!script.ok || (await script.text()).length === 0) {
    throw new Error(`${program} was built without the viewer: see what its build says`);
  }
}

export async function startServer(...flags: string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'thalweg-web-'));
  const [grpcFile, httpFile] = [join(folder, 'grpc'), join(folder, 'http')];
  const child = spawn(program, [
    'serve', '--listen', '127.0.0.1:0', '--port-file', grpcFile, '--http', '127.0.0.1:0',
    '--http-port-file', httpFile, '--worlds', join(here, 'worlds'), '--skip-check', '--examples', ...flags,
  ], {stdio: ['ignore', 'pipe', 'pipe']});
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => { log = (log + data.toString()).slice(-4000); });
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const hung = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await ended(child);
    clearTimeout(hung);
    rmSync(folder, {recursive: true, force: true});
  };
  try {
    const grpc = await numberFrom(grpcFile, child, () => log);
    const http = await numberFrom(httpFile, child, () => log);
    const url = `http://127.0.0.1:${http}`;
    await expectViewer(url);
    return {url, grpc: `127.0.0.1:${grpc}`, pid: child.pid!, stop};
  } catch (error) {
    await stop();
    throw error;
  }
}
