// Fetches tiles, the most urgent first, a few at a time, and cancels those that are no longer wanted.
import {ServerError, fetchFromServer, problemText} from './world';

// Something to fetch.
export interface Job {
  readonly name: string;
  readonly url: string;
  // Takes the bytes. A rejection counts as a failure that is not tried again.
  readonly take: (bytes: ArrayBuffer) => Promise<void>;
}

export interface LoaderCounts {
  requests: number;
  bytes: number;
  cancelled: number;
  failed: number;
}

const maxAtOnce = 6;
const firstDelayMs = 1000;
const longestDelayMs = 15000;

interface Failure {
  // Whether the tile must not be asked for now, or never again if that would not help.
  waits: boolean;
  readonly delayMs: number;
}

export class TileLoader {
  readonly counts: LoaderCounts = {requests: 0, bytes: 0, cancelled: 0, failed: 0};
  // The last error, for people; empty after a success.
  problem = '';
  // Called when the server says that it does not have the tile.
  onMissing: () => void = () => undefined;
  private queue: Job[] = [];
  private readonly running = new Map<string, AbortController>();
  private readonly failures = new Map<string, Failure>();

  get queued(): number {
    return this.queue.length;
  }

  get inFlight(): number {
    return this.running.size;
  }

  // Replaces the wanted tiles, the most urgent first. Cancels other requests under way.
  want(jobs: readonly Job[]): void {
    const names = new Set(jobs.map(({name}) => name));
    for (const [name, controller] of this.running) {
      if (names.has(name)) continue;
      controller.abort();
      this.running.delete(name);
      ++this.counts.cancelled;
    }
    this.queue = jobs.filter(({name}) => !this.running.has(name));
    this.start();
  }

  // Forgets which tiles the server refused, so that they may be fetched again.
  forgive(): void {
    this.failures.clear();
    this.problem = '';
  }

  private start(): void {
    for (let n = 0; n < this.queue.length && this.running.size < maxAtOnce;) {
      const job = this.queue[n]!;
      if (this.failures.get(job.name)?.waits) {
        ++n;
        continue;
      }
      this.queue.splice(n, 1);
      void this.run(job);
    }
  }

  private async run(job: Job): Promise<void> {
    const controller = new AbortController();
    this.running.set(job.name, controller);
    ++this.counts.requests;
    try {
      const response = await fetchFromServer(job.url, {signal: controller.signal});
      const bytes = await response.arrayBuffer();
      this.counts.bytes += bytes.byteLength;
      await job.take(bytes);
      this.failures.delete(job.name);
      this.problem = '';
    } catch (error) {
      if (!controller.signal.aborted) this.fail(job, error);
    }
    if (this.running.get(job.name) === controller) this.running.delete(job.name);
    this.start();
  }

  // A server that is busy or unreachable may be back soon; any other error would happen again.
  private fail(job: Job, error: unknown): void {
    ++this.counts.failed;
    this.problem = problemText(error);
    const passing = error instanceof TypeError ||
      (error instanceof ServerError && (error.status >= 500 || error.status === 429));
    const before = this.failures.get(job.name)?.delayMs ?? firstDelayMs / 2;
    const failure = {waits: true, delayMs: Math.min(2 * before, longestDelayMs)};
    this.failures.set(job.name, failure);
    if (error instanceof ServerError && error.status === 404) this.onMissing();
    if (!passing) return;
    this.queue.unshift(job);
    setTimeout(() => {
      failure.waits = false;
      this.start();
    }, failure.delayMs);
  }
}
