// Sends tiles to a few workers, which decode them.
import type {DecodeRequest, DecodeResponse} from './decode_worker';
import type {OverlayScale} from './overlay';
import type {Surface, TileSetting} from './surface';

export class DecodePool {
  private readonly workers: Worker[];
  private readonly waiting = new Map<number, (response: DecodeResponse) => void>();
  private nextId = 0;

  constructor() {
    const count = Math.min(Math.max((navigator.hardwareConcurrency || 2) - 1, 1), 4);
    this.workers = Array.from({length: count}, () => {
      const worker = new Worker(new URL('./decode_worker.ts', import.meta.url), {type: 'module'});
      worker.onmessage = (event: MessageEvent<DecodeResponse>): void => this.finish(event.data);
      return worker;
    });
  }

  // Tiles that are being decoded or are waiting.
  get busy(): number {
    return this.waiting.size;
  }

  // Rejects bytes that can't be decoded. The bytes are moved to a worker.
  async surface(bytes: ArrayBuffer, setting: TileSetting): Promise<Surface> {
    const response = await this.post({bytes, ...setting});
    if (!response.surface) throw new Error(response.error ?? 'the worker answered without a tile');
    return response.surface;
  }

  // The same for a layer over the ground.
  async overlay(bytes: ArrayBuffer, layer: number, scale: OverlayScale): Promise<Uint8Array> {
    const response = await this.post({bytes, overlay: {layer, scale}});
    if (!response.overlay) throw new Error(response.error ?? 'the worker answered without a tile');
    return response.overlay;
  }

  private post(request: Omit<DecodeRequest, 'id'>): Promise<DecodeResponse> {
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.workers[id % this.workers.length]!.postMessage({id, ...request}, [request.bytes]);
    });
  }

  private finish(response: DecodeResponse): void {
    this.waiting.get(response.id)?.(response);
    this.waiting.delete(response.id);
  }
}
