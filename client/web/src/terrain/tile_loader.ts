// The page's queue of requests for tiles: the most urgent first, a few at a time. It cancels those that are no longer wanted.
import {ServerError, fetchFromServer, problemText} from './world';

// Something to fetch.
export interface Job {
  // Unique in the page.
  readonly name: string;
  // Jobs of a family that follow each other are requested together, because the server computes siblings together faster.
  readonly family: string;
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

// Browsers have six connections to a server of HTTP/1.1. Further requests would wait in an order that can't be changed.
const maxAtOnce = 6;
// Max tiles that have come and are being decoded while others are requested.
const maxTaking = 8;
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
  // Jobs whose bytes have come.
  private readonly taking = new Set<string>();
  private readonly failures = new Map<string, Failure>();

  get queued(): number {
    return this.queue.length;
  }

  // The jobs under way.
  get inFlight(): number {
    return this.running.size + this.taking.size;
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
    this.queue = jobs.filter(({name}) => !this.running.has(name) && !this.taking.has(name));
    this.start();
  }

  // Forgets which tiles the server refused, so that they may be fetched again.
  forgive(): void {
    this.failures.clear();
    this.problem = '';
  }

  private start(): void {
    while (this.taking.size < maxTaking) {
      const next = this.nextFamily();
      if (next.length === 0 || this.running.size + next.length > maxAtOnce) return;
      const names = new Set(next.map(({name}) => name));
      this.queue = this.queue.filter(({name}) => !names.has(name));
      for (const job of next) void this.run(job);
    }
  }

  // Returns the most urgent jobs that are requested together.
  private nextFamily(): Job[] {
    const ready = this.queue.filter(({name}) => !this.failures.get(name)?.waits);
    const end = ready.findIndex(({family}) => family !== ready[0]!.family);
    return ready.slice(0, Math.min(end < 0 ? ready.length : end, maxAtOnce));
  }

  private async run(job: Job): Promise<void> {
    const controller = new AbortController();
    this.running.set(job.name, controller);
    ++this.counts.requests;
    try {
      const response = await fetchFromServer(job.url, {signal: controller.signal});
      const bytes = await response.arrayBuffer();
      this.counts.bytes += bytes.byteLength;
      await this.take(job, controller, bytes);
      this.failures.delete(job.name);
      this.problem = '';
    } catch (error) {
      if (!controller.signal.aborted) this.fail(job, error);
    }
    if (this.running.get(job.name) === controller) this.running.delete(job.name);
    this.start();
  }

  // Lets another request begin while the bytes are decoded.
  private async take(job: Job, controller: AbortController, bytes: ArrayBuffer): Promise<void> {
    if (this.running.get(job.name) === controller) this.running.delete(job.name);
    this.taking.add(job.name);
    this.start();
    try {
      await job.take(bytes);
    } finally {
      this.taking.delete(job.name);
    }
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
