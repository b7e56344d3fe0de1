// The worker: decodes tiles outside the thread that draws.
import {OverlayScale, overlayOf} from './overlay';
import {Surface, TileSetting, surfaceOf} from './surface';
import {readTile} from './tile_message';

export interface DecodeRequest extends TileSetting {
  readonly id: number;
  readonly bytes: ArrayBuffer;
  // Absent: decode the surface.
  readonly overlay?: {readonly layer: number; readonly scale: OverlayScale};
}

export interface DecodeResponse {
  readonly id: number;
  readonly surface?: Surface;
  readonly overlay?: Uint8Array;
  readonly error?: string;
}

function decode(request: DecodeRequest): DecodeResponse {
  const {id, overlay} = request;
  try {
    const message = readTile(new Uint8Array(request.bytes));
    if (overlay) return {id, overlay: overlayOf(message, overlay.layer, overlay.scale)};
    return {id, surface: surfaceOf(message, request)};
  } catch (error) {
    return {id, error: error instanceof Error ? error.message : String(error)};
  }
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
scope.onmessage = (event: MessageEvent<DecodeRequest>): void => {
  const response = decode(event.data);
  const transfer: Transferable[] = [];
  if (response.surface) {
    const {heights, shading, cover, classes, parts} = response.surface;
    transfer.push(heights.buffer, shading.buffer);
    if (cover) transfer.push(cover.buffer);
    if (classes) transfer.push(classes.buffer);
    if (parts) transfer.push(parts.weights.buffer);
  }
  if (response.overlay) transfer.push(response.overlay.buffer);
  scope.postMessage(response, transfer);
};
