// The finished layers leave the window; each tile's deviation from the parent's surface is measured.
#include "bindings.glsl"

PARAMETERS(ExportParams)

#include "standing.glsl"

// The parent's surface at a window vertex, bilinear, as a mesh of the parent draws it.
int parentSurface(int slot, int x, int y) {
  int lx = x + int(jobs[slot].x_low & 1u);
  int ly = y + int(jobs[slot].y_low & 1u);
  int at = slot * params.parent_size + (jobs[slot].parent_y + (ly >> 1)) * params.parent_side +
           jobs[slot].parent_x + (lx >> 1);
  int east = lx & 1;
  int south = (ly & 1) * params.parent_side;
  int nw = parent[at];
  return nw + (((parent[at + east] - nw) + (parent[at + south] - nw) +
                (parent[at + east + south] - nw)) >> 2);
}

void main() {
  if (outsidePass()) return;
  int rx = columnHere();
  int ry = rowHere();
  int slot = slotHere();
  int x = rx + params.margin;
  int y = ry + params.margin;
  int i = slot * pass.window + y * pass.stride + x;
  int ground = height[pass.front + i];
  int size = params.side * params.side;
  int base = slot * params.result_size;
  int o = base + ry * params.side + rx;
  result[o] = ground;
  result[o + size] = flow[i];
  if (params.wash_plane >= 0) result[o + params.wash_plane] = wash_load[i];
  if (params.uplift_plane >= 0) result[o + params.uplift_plane] = uplift[i];
  if (params.fraction_plane >= 0) result[o + params.fraction_plane] = int(fraction[i]);

  int cx = rx - params.apron;
  int cy = ry - params.apron;
  if (params.parent_side == 0 || cx < 0 || cy < 0 || cx > params.core || cy > params.core) return;
  int deviation = abs(ground - parentSurface(slot, x, y));
  // A vertex on an edge belongs to the tiles on both sides of it.
  int tiles = params.core >> params.tile_bits;
  ivec2 first = ivec2(max(cx - 1, 0) >> params.tile_bits, max(cy - 1, 0) >> params.tile_bits);
  ivec2 last = ivec2(min(cx >> params.tile_bits, tiles - 1), min(cy >> params.tile_bits, tiles - 1));
  for (int ty = first.y; ty <= last.y; ++ty) {
    for (int tx = first.x; tx <= last.x; ++tx) {
      atomicMax(result[base + params.deviation_at + ty * tiles + tx], deviation);
    }
  }
}
