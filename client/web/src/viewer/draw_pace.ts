// When tiles that came are drawn while the camera stands still. A device that draws slowly, such as a processor, would
// otherwise draw all the time, and take that time from the server or from the decoding of tiles.

// The pause after a frame, as a multiple of the time that it took.
const restFactor = 3;
const maxRestMs = 2000;

// The part of WebGL 2 that tells when a frame is drawn.
export type Fences = Pick<
  WebGL2RenderingContext, 'fenceSync' | 'getSyncParameter' | 'deleteSync' | 'flush' | 'SYNC_GPU_COMMANDS_COMPLETE' |
  'SYNC_STATUS' | 'SIGNALED'>;

export class DrawPace {
  private fence: WebGLSync | null = null;
  private began = 0;
  private restsUntil = 0;
  // The first frame takes long because shaders are compiled for it, which says nothing about further ones.
  private isFirst = true;

  constructor(private readonly gl: Fences) {}

  // Call it after each frame.
  drawn(now: number): void {
    const {gl} = this;
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.began = now;
  }

  // Whether the last frame is drawn and the pause after it is over.
  isDue(now: number): boolean {
    const {gl, fence} = this;
    if (fence) {
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
      gl.deleteSync(fence);
      this.fence = null;
      this.restsUntil = this.isFirst ? now : now + Math.min(restFactor * (now - this.began), maxRestMs);
      this.isFirst = false;
    }
    return now >= this.restsUntil;
  }
}
