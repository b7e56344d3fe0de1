// Rain that erodes, in three parts. Scatter: every droplet moves, and adds its discharge and
// sediment to two corners of its cell. Settle: every vertex decides what it gives or takes. Gather:
// every droplet takes its share. Shares are integer products, so nothing is lost.
//
// Units. Grain: the unit of sediment, 2^-grain_bits of a height unit; the height of a cell is 2^25
// to 2^26 grains if it is 1,024 m or less. Parcel: 1,024 grains, the unit that is laid down.
// Momentum: 1/128 of one cell's rain at speed 1.
//
// Bounds. A droplet carries at most 16 times its rain, at a speed under 4, so it adds less than
// 2^13 to a vertex. Droplets of (2 * 48 + 3)^2 cells reach a vertex: the sum stays under 2^27. A
// vertex gives at most 2^24 grains a step, so a droplet's load stays under 48 * 2 * 2^24 < 2^32.
// Heights and the wash load of one vertex wrap at 32 km; real ground stays far below.
#ifndef THALWEG_KERNELS_DROPLET
#define THALWEG_KERNELS_DROPLET

#include "exact.glsl"
#include "hash.glsl"
#include "sphere.glsl"

KERNELS_BEGIN

CONSTANT uint kDropletStream = 0x80000000u;
CONSTANT int kGrainsPerParcelBits = 10;
// The x of a droplet that left the window or never fell.
CONSTANT int kDeadPosition = -32768;

struct DropletParams {
  // 1 / height of a cell in height units.
  float inverse_cell;
  float inertia;
  float pull;         // 1 - inertia
  float kept_energy;  // 1 - friction
  float gravity;
  float capacity;  // cells of sediment for each unit of slope and momentum
  float min_slope;
  float erosion;
  float deposition;
  float limit;
  float grains_per_cell;
  float cells_per_parcel;
  float inheritance;
  float max_inherited_water;
  int grain_bits;
  uint stream;     // separates the rain of levels and stages
  uint density;    // part of the cells in which a droplet falls, in 1/65,536
  float gathered;  // 1 / density: a droplet has the water of this many cells
};

// What moves a droplet.
struct DropletMotion {
  float inertia;
  float pull;
  float kept_energy;
  float gravity;
};

KERNEL DropletMotion motionOf(DropletParams params) {
  DropletMotion motion;
  motion.inertia = params.inertia;
  motion.pull = params.pull;
  motion.kept_energy = params.kept_energy;
  motion.gravity = params.gravity;
  return motion;
}

// The numbers that a vertex settles with.
struct DropletBed {
  float inverse_cell;
  float capacity;
  float min_slope;
  float erosion;
  float deposition;
  float limit;
  float grains_per_cell;
  float cells_per_parcel;
  int grain_bits;
};

KERNEL DropletBed bedOf(DropletParams params) {
  DropletBed bed;
  bed.inverse_cell = params.inverse_cell;
  bed.capacity = params.capacity;
  bed.min_slope = params.min_slope;
  bed.erosion = params.erosion;
  bed.deposition = params.deposition;
  bed.limit = params.limit;
  bed.grains_per_cell = params.grains_per_cell;
  bed.cells_per_parcel = params.cells_per_parcel;
  bed.grain_bits = params.grain_bits;
  return bed;
}

struct Droplet {
  ivec2 position;   // 1/256 of a cell: from the cell that it fell on; on a planet in its window
  ivec2 direction;  // 1/16,384
  uint speed;       // 1/4,096, under 4
  uint water;       // 1/1,024 of a cell's rain; when it falls, 1 to 16 cells' rain
  uint load;        // grains
  int slot;         // its window; these functions don't use it
};

// Max water of a droplet.
CONSTANT uint kMaxWater = 16384u;

// A droplet that falls at random in a cell, with this inherited flow; a dead one if none falls. h:
// a random number of the cell.
KERNEL Droplet bornDroplet(uint h, int flow, DropletParams params) {
  float discharge = float(flow) * 0.00390625f;
  float root = discharge > 0.001f ? discharge * reciprocalSqrt(discharge) : 0.0f;
  float inherited = min(params.inheritance * root, params.max_inherited_water);
  Droplet droplet;
  bool falls = (h & 65535u) < params.density;
  droplet.position = ivec2(falls ? int(h >> 24) : kDeadPosition, int((h >> 16) & 255u));
  droplet.direction = ivec2(0, 0);
  droplet.speed = 4096u;
  uint water = 1024u + uint(int(inherited * 1024.0f));
  droplet.water = min(uint(int(float(water) * params.gathered)), kMaxWater);
  droplet.load = 0u;
  droplet.slot = 0;
  return droplet;
}

// The two vertices that a droplet adds to and takes from: the northern or the southern row of its
// cell. The nearer row is more likely. So many droplets together weight all four corners
// bilinearly, with half the atomics.
struct Footprint {
  int row;          // 0: north, 1: south
  int west_weight;  // in 1/65,536; the east weight is the rest
  int east_weight;
};

KERNEL Footprint footprint(ivec2 position) {
  uint threshold = (uint(position.x) * 0x9e3779b1u + uint(position.y) * 0x85ebca77u) >> 24;
  Footprint foot;
  foot.row = uint(position.y & 255) > threshold ? 1 : 0;
  foot.east_weight = (position.x & 255) * 256;
  foot.west_weight = 65536 - foot.east_weight;
  return foot;
}

// The ground's rise under a droplet, per column and per row. corners: the ground at its cell's corners, x fastest.
KERNEL vec2 riseUnder(Droplet droplet, ivec4 corners, float inverse_cell) {
  float u = float(droplet.position.x & 255) * 0.00390625f;
  float v = float(droplet.position.y & 255) * 0.00390625f;
  float east = float(corners.y - corners.x) * inverse_cell;
  float south = float(corners.z - corners.x) * inverse_cell;
  float far = float(corners.w - corners.x) * inverse_cell;
  return vec2(east * (1.0f - v) + (far - south) * v, south * (1.0f - u) + (far - east) * u);
}

// Moves a droplet by at most one cell. rises: by column and by row. steepest: the direction of steepest ascent,
// with the slope as its length; equal to rises where cells are squares.
KERNEL Droplet movedDroplet(Droplet droplet, vec2 rises, vec2 steepest, DropletMotion motion) {
  float dx = float(droplet.direction.x) * 6.103515625e-5f * motion.inertia - steepest.x * motion.pull;
  float dy = float(droplet.direction.y) * 6.103515625e-5f * motion.inertia - steepest.y * motion.pull;
  float length2 = dx * dx + dy * dy;
  Droplet moved = droplet;
  moved.direction = ivec2(0, 0);
  if (length2 > 1e-10f) {
    float scale = reciprocalSqrt(length2) * 16384.0f;
    moved.direction = ivec2(int(floor(dx * scale + 0.5f)), int(floor(dy * scale + 0.5f)));
    moved.position.x = droplet.position.x + ((moved.direction.x + 32) >> 6);
    moved.position.y = droplet.position.y + ((moved.direction.y + 32) >> 6);
  }
  float mx = float(moved.position.x - droplet.position.x) * 0.00390625f;
  float my = float(moved.position.y - droplet.position.y) * 0.00390625f;
  float rise = rises.x * mx + rises.y * my;
  float speed = float(droplet.speed) * 0.000244140625f;
  // A droplet that falls gains energy.
  float energy = min(max(speed * speed * motion.kept_energy - rise * motion.gravity, 0.01f), 15.9f);
  moved.speed = min(uint(int(energy * reciprocalSqrt(energy) * 4096.0f)), 16383u);
  return moved;
}

// Scales a droplet's water by the area of a planet's cell.
KERNEL Droplet onCells(Droplet droplet, Frame frame) {
  Droplet rained = droplet;
  rained.water = clamp(uint(int(float(droplet.water) * areaOf(frame))), 1u, kMaxWater);
  return rained;
}

// What a droplet adds to a vertex's momentum. kept_water: what evaporation left, in 1/65,536.
KERNEL uint momentumShare(Droplet droplet, uint kept_water, int weight) {
  uint water = (droplet.water * kept_water) >> 16;
  return (((water * droplet.speed) >> 10) * (uint(weight) >> 4)) >> 17;
}

// What a droplet adds to a vertex's sediment, in parcels.
KERNEL uint loadShare(Droplet droplet, int weight) {
  return scaleByWeight(droplet.load >> kGrainsPerParcelBits, uint(weight));
}

// Grains that a droplet gains at a vertex that settled at this rate.
KERNEL uint taken(int rate, uint momentum, uint parcels) {
  return rate > 0 ? uint(rate) * momentum : 0u - uint(-rate) * parcels;
}

// Adapts a bed to the lengths of a planet's cells, which change slopes.
KERNEL DropletBed onCells(DropletBed bed, Frame frame) {
  DropletBed local = bed;
  float length = meanLength(frame);
  local.min_slope = bed.min_slope * length;
  local.capacity = bed.capacity * reciprocal(length);
  return local;
}

struct Settlement {
  int height;
  uint fraction;  // grains below a height unit
  int rate;       // grains that a unit of momentum gains; if negative, that a parcel loses
};

// change: grains that the vertex gains.
KERNEL Settlement settlementOf(int height, uint fraction, int change, int rate, int grain_bits) {
  int total = int(fraction) + change;
  Settlement settlement;
  settlement.height = height + (total >> grain_bits);
  settlement.fraction = uint(total & ((1 << grain_bits) - 1));
  settlement.rate = rate;
  return settlement;
}

// What a vertex gives or takes. lowest, highest: of the 3 x 3 heights around it.
KERNEL Settlement settle(int height, uint fraction, int lowest, int highest, uint momentum,
                         uint parcels, DropletBed bed) {
  float drop = float(height - lowest) * bed.inverse_cell;
  float rise = float(highest - height) * bed.inverse_cell;
  float capacity = max(drop, bed.min_slope) * float(momentum) * bed.capacity;
  float load = float(parcels) * bed.cells_per_parcel;
  int rate = 0;
  int change = 0;
  if (load < capacity && momentum > 0u) {
    float dug = min((capacity - load) * bed.erosion, drop * bed.limit);
    float grains = min(dug * bed.grains_per_cell, 16777216.0f);
    rate = int(grains * reciprocal(float(momentum)));
    change = -rate * int(momentum);
  } else if (parcels > 0u) {
    // In a pit: fill it.
    float room = rise * (lowest == height ? 0.5f : bed.limit);
    float laid = min((load - capacity) * bed.deposition, room);
    float grains = min(laid * bed.grains_per_cell, 268435456.0f);
    rate = -min(int(grains * reciprocal(float(parcels))), 1 << kGrainsPerParcelBits);
    change = -rate * int(parcels);
  }
  return settlementOf(height, fraction, change, rate, bed.grain_bits);
}

KERNELS_END

#endif
