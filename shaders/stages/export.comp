// Copies the finished layers from the window to the result, and measures each tile's deviation from
// its parent's surface, both as clients see them. Above a level that stands on its parent's shown
// ground the result has shown heights.
#include "bindings.glsl"

PARAMETERS(ExportParams)

#include "standing.glsl"

// A height as clients see it.
int shownHeight(int ground) {
  if (params.pieces == 0) return ground;
  int shown = shownBelow(ground, program[params.first_piece]);
  for (int k = 0; k < params.pieces; ++k) {
    shown = shownOnPiece(ground, shown, program[params.first_piece + k]);
  }
  return heldHeight(shown);
}

// The parent's surface at a window vertex, bilinear, as a mesh of the parent draws it.
int parentSurface(int slot, int x, int y) {
  int lx = x + int(jobs[slot].x_low & 1u);
  int ly = y + int(jobs[slot].y_low & 1u);
  int at = slot * params.parent_size + (jobs[slot].parent_y + (ly >> 1)) * params.parent_side +
           jobs[slot].parent_x + (lx >> 1);
  int east = lx & 1;
  int south = (ly & 1) * params.parent_side;
  int nw = shownHeight(parent[at]);
  ivec3 above = ivec3(shownHeight(parent[at + east]), shownHeight(parent[at + south]), shownHeight(parent[at + east + south])) - nw;
  // A quarter of the sum, rounded down. The sum itself may overflow.
  ivec3 quarters = above >> 2;
  ivec3 rest = above & 3;
  return nw + quarters.x + quarters.y + quarters.z + ((rest.x + rest.y + rest.z) >> 2);
}

// Writes a value to the layer's plane if the result keeps the layer. Returns its index in the last
// plane written.
int stored(int layer, int o, int size, int value) {
  if (!hasLayer(params.layers, layer)) return o;
  result[o + size] = value;
  return o + size;
}

void main() {
  if (beyondRow()) return;
  int rx = columnHere();
  int ry = rowHere();
  int slot = slotHere();
  int x = rx + params.margin;
  int y = ry + params.margin;
  int i = slot * pass.stride * pass.stride + y * pass.stride + x;
  int ground = height[pass.front + i];
  int change = ground - start[i] - layers[inLayer(kPlaneUplift, i)];
  int water = max(ground, params.sea_level);
  if (hasLayer(params.planes, kLayerWater)) water = max(water, layers[inLayer(kPlaneWater, i)]);
  int size = params.side * params.side;
  int base = slot * params.result_size;
  int o = base + ry * params.side + rx;
  // Planes follow in the order of the layers' bits.
  int shown = shownHeight(ground);
  result[o] = params.keeps_shown == 1 ? shown : ground;
  o = stored(kLayerFlow, o, size, flow[i]);
  o = stored(kLayerSediment, o, size, max(ground - layers[inLayer(kPlaneBedrock, i)], 0));
  o = stored(kLayerWay, o, size,
             hasLayer(params.planes, kLayerWay) ? layers[inLayer(kPlaneWay, i)] : 0);
  o = stored(kLayerWater, o, size, params.keeps_shown == 1 ? shownHeight(water) : water);
  o = stored(kLayerVegetation, o, size,
             hasLayer(params.planes, kLayerVegetation) ? layers[inLayer(kPlaneVegetation, i)] : 0);
  o = stored(kLayerWashLoad, o, size, layers[inLayer(kPlaneWashLoad, i)]);
  o = stored(kLayerUplift, o, size, layers[inLayer(kPlaneUplift, i)]);
  o = stored(kLayerWear, o, size, max(-change, 0));
  o = stored(kLayerDeposit, o, size, max(change, 0));
  o = stored(kLayerShore, o, size,
             hasLayer(params.planes, kLayerShore) ? layers[inLayer(kPlaneShore, i)] : kNoShore);
  stored(kLayerFraction, o, size, int(fraction[i]));

  int cx = rx - params.apron;
  int cy = ry - params.apron;
  if (params.parent_side == 0 || cx < 0 || cy < 0 || cx > params.core || cy > params.core) return;
  int deviation = abs(shown - parentSurface(slot, x, y));
  // A vertex on an edge belongs to the tiles on both sides.
  int tiles = params.core >> params.tile_bits;
  ivec2 first = ivec2(max(cx - 1, 0) >> params.tile_bits, max(cy - 1, 0) >> params.tile_bits);
  ivec2 last =
      ivec2(min(cx >> params.tile_bits, tiles - 1), min(cy >> params.tile_bits, tiles - 1));
  for (int ty = first.y; ty <= last.y; ++ty) {
    for (int tx = first.x; tx <= last.x; ++tx) {
      atomicMax(result[base + params.deviation_at + ty * tiles + tx], deviation);
    }
  }
}
