// Kernels that do several sweeps over a tile of a window in memory that a workgroup shares, instead of a dispatch for each
// sweep. A sweep reads neighbours, so it loses a ring of the tile; the vertices of the ring belong to other tiles, and are
// computed again there. An invocation has a strip of kTileStrip vertices of a column. Only for GPUs: their memory is far,
// and their dispatches wait for each other. Included after PARAMETERS.
// pass.argument: see tileArgument and tileRing. pass.before: the last row that is written.
#define TILED
#include "standing.glsl"
layout(local_size_x = kTileWidth, local_size_y = kTileStrips) in;

// The kernel's own argument, 0 to 255, and how many vertices on each side of the tile are of the ring.
int tileArgument() { return pass.argument & 255; }
int tileRing() { return pass.argument >> 8; }

// The position in the tile of the strip's k-th vertex.
int tileColumn() { return int(gl_LocalInvocationID.x); }
int tileRow(int k) { return int(gl_LocalInvocationID.y) * kTileStrip + k; }
// The same in the window. It may lie beside it.
int columnInWindow() { return pass.x + int(gl_WorkGroupID.x) * (kTileWidth - 2 * tileRing()) - tileRing() + tileColumn(); }
int rowInWindow(int k) { return pass.y + int(gl_WorkGroupID.y) * (kTileHeight - 2 * tileRing()) - tileRing() + tileRow(k); }
// The index in a plane of the vertex, or of the nearest one that the window has.
int placeInTile(int k) {
  return placeIn(slotHere(), clamp(columnInWindow(), 0, pass.stride - 1), clamp(rowInWindow(k), 0, pass.stride - 1));
}
// The index of the vertex in a shared array of kTileShared values. Its neighbours have indices too, even beside the tile.
int sharedAt(int k) { return (tileRow(k) + 1) * kTileWidth + 1 + tileColumn(); }
int sharedStep(ivec2 to) { return to.y * kTileWidth + to.x; }
// Whether a neighbour of the vertex lies beside the tile.
bool isOnRim(int k) {
  return tileColumn() == 0 || tileColumn() == kTileWidth - 1 || tileRow(k) == 0 || tileRow(k) == kTileHeight - 1;
}
// Whether the tile writes the vertex.
bool isWritten(int k) {
  int ring = tileRing();
  return tileColumn() >= ring && tileColumn() < kTileWidth - ring && columnInWindow() < pass.x + pass.width &&
         tileRow(k) >= ring && tileRow(k) < kTileHeight - ring && rowInWindow(k) <= pass.before;
}
