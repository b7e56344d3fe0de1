// Draws the ways of the parent's vertices into the child, one vertex an invocation. pass.argument: 0
// finds the lowest way through each vertex, and sums the areas of all ways; 1 finds where the lowest way
// goes. pass.before: 1 if the parent has heights of real land, to which no mean relief was added.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"
#include "noise_table.glsl"
#include "displaced.glsl"
#include "packed.glsl"

int parentSurface(int at) { return max(parent[at], params.sea_level); }

// The displacement in 1/256 of the parent's cell, at a position in the window or a few cells beside it. Between
// pass.live_first and pass.live_last it comes from rivers_ground.
ivec2 displacedAt(int column, int row) {
  bool inside = min(column, row) >= pass.live_first && max(column, row) <= pass.live_last;
  if (!kOnSphere) {
    if (!inside) return displacedOnPlane(column, row);
    return unpackedPair(uint(movers[pass.plane + placeIn(slotHere(), column, row)]));
  }
  Owner owner = ownerOf(slotHere(), column, row);
  ivec2 moved = inside ? unpackedPair(uint(movers[pass.plane + placeIn(owner.slot, owner.column, owner.row)]))
                       : displacedInSpace(owner.slot, owner.column, owner.row);
  for (int turn = 0; turn < owner.turns; ++turn) moved = ivec2(moved.y, -moved.x);
  return moved;
}

// The bed of a way at a vertex of the parent, without the mean relief that the parent added.
int parentBed(int at, int river, RiversParams local) {
  if (riverDirection(river) == kWayEnds || pass.before == 1) return parentSurface(at);
  return max(parent[at] - parentRelief(river, local), params.sea_level);
}

// The way of the parent's vertex: the one that it passed on, or else the steepest descent.
int riverAt(int at) {
  int plane = params.parent_side * params.parent_side;
  if (hasLayer(params.planes, kLayerWay)) {
    int river = parent[kLayerWay * plane + at];
    if (isRiverKnown(river)) return river;
  }
  int here = parentSurface(at);
  float steepest = 0.0f;
  int found = kWayEnds;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int there = parentSurface(at + to.y * params.parent_side + to.x);
    float fall = here > there ? differenceOf(here, there) : 0.0f;
    fall *= (direction & 1) != 0 ? 0.70710678f : 1.0f;
    if (fall > steepest) {
      steepest = fall;
      found = direction;
    }
  }
  int cells = max(parent[kLayerFlow * plane + at], 256) >> 8;
  return packedRiver(found, areaCode(uint64_t(uint(cells))), 0, 0);
}

// Draws a way through a vertex of the window, at a height.
void draw(ivec2 place, int level, int way, uint64_t cells) {
  if (min(place.x, place.y) < 0 || max(place.x, place.y) >= pass.stride) return;
  Owner owner = ownerOf(slotHere(), place.x, place.y);
  int i = placeIn(owner.slot, owner.column, owner.row);
  if (pass.argument == 0) {
    atomicMin(flow[i], level);
    ADD_WIDE(i, cells);
  } else if (flow[i] == level) {
    atomicMin(rate[i], turnedWay(way, owner.turns));
  }
}

void main() {
  if (beyondRow()) return;
  int px = columnHere();
  int py = rowHere();
  Job job = jobs[slotHere()];
  // Its position in the child.
  ivec2 own = 2 * ivec2(px, py) - ivec2(int(job.x_low & 1u), int(job.y_low & 1u));
  if (!isOwner(slotHere(), own.x, own.y)) return;
  int at = slotHere() * params.parent_size + (job.parent_y + py) * params.parent_side +
           job.parent_x + px;
  int river = riverAt(at);
  int direction = riverDirection(river);
  if (direction != kWayEnds && riverArea(river) < params.keep) return;
  RiversParams local = paramsAt(own.x, own.y);
  int level = parentBed(at, river, local);
  ivec2 moved = displacedAt(own.x, own.y);
  ivec2 first = own + ivec2(childCells(moved.x), childCells(moved.y));
  uint64_t cells = areaOf(riverArea(river)) << 2;
  if (direction == kWayEnds) {
    draw(first, level, keptWay(kWayEnds, 0), cells);
    return;
  }
  ivec2 to = neighbour(direction);
  ivec2 next = own + 2 * to;
  ivec2 next_moved = displacedAt(next.x, next.y);
  ivec2 last = next + ivec2(childCells(next_moved.x), childCells(next_moved.y));
  ivec2 run = last - first;
  int steps = max(abs(run.x), abs(run.y));
  // Height units from a step to the next. With less than one, only the next vertex draws its way.
  int there = at + to.y * params.parent_side + to.x;
  int fall = heldDifference(level, parentBed(there, riverAt(there), local));
  if (steps == 0 || fall < steps) return;
  fall /= steps;
  uint chance = hashOf(params.lattice.stream + kStreamWay, globalColumnOf(own.x) >> 1, globalRowOf(own.y) >> 1);
  // A straight way of two steps would keep to the grid: at times it goes aside.
  bool straight = steps == 2 && min(abs(run.x), abs(run.y)) == 0;
  int aside = straight ? ((chance >> 4) & 7u) == 0u ? 1 : (((chance >> 4) & 7u) == 1u ? -1 : 0) : 0;
  ivec2 place = first;
  for (int taken = 0; taken < steps; ++taken) {
    ivec2 on = first + ivec2(alongWay(run.x, taken + 1, steps, chance),
                             alongWay(run.y, taken + 1, steps, chance));
    if (taken == 0) on += run.x == 0 ? ivec2(aside, 0) : ivec2(0, aside);
    int way = keptWay(directionOf(on.x - place.x, on.y - place.y), riverFloor(river));
    draw(place, level - fall * taken, way, cells);
    place = on;
  }
}
