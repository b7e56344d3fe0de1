// Erosion by particles that collide with the ground. A particle of water has a velocity in space.
// Gravity draws it along the plane of its cell. Where it meets another plane, it loses the velocity
// into that plane; its energy goes to the ground, which breaks. Hard ground lies under soft ground;
// what is laid down is soft. Scatter, settle and gather are as in droplet.glsl, but a vertex may
// give and take in one step.
//
// Units. Velocity: 1/4,096 of a cell a step, under 4 in all. Count of a particle at a vertex: 1/64.
// Energy: 1/8,192 of one cell's rain at speed 1 squared.
//
// Bounds. The particles of (2 * 48 + 3)^2 < 2^14 cells reach a vertex. Each adds a count of 2^6 and
// an energy under 2^18: both sums stay under 2^32. A vertex gives at most 2^24 grains a step, so a
// load stays under 48 * 2 * 2^24 < 2^31.
#ifndef THALWEG_KERNELS_COLLISION
#define THALWEG_KERNELS_COLLISION

#include "droplet.glsl"

KERNELS_BEGIN

struct CollisionMoveParams {
  float inverse_cell;
  float gravity;
  float kept_speed;  // what friction leaves of the speed in a step
  float restitution;
  float splash_speed;  // above this speed into the ground a particle bounces
  float capacity;      // grains for each unit of speed and water
  float deposition;
  float fall_speed;  // of the rain
  float roughness2;  // squared slope of the ground's unevenness within a cell
  float inheritance;
  float max_inherited_water;
  int soil;  // min thickness of soft ground, in height units
  uint stream;
  int sea_level;
  int planes;
};

struct CollisionSettleParams {
  float inverse_cell;
  float grains_per_cell;
  float cells_per_parcel;
  float limit;
  float soft;  // cells that break for a unit of energy
  float hard;
  float crowding;  // the exponent of N
  float cushion;   // of one particle of water
  int grain_bits;
  int sea_level;
  int planes;
};

struct Particle {
  ivec2 position;  // 1/256 of a cell from the cell that it fell on
  ivec2 velocity;
  int climb;   // the upward part of the velocity
  uint water;  // 1/1,024 of a cell's rain
  uint load;   // grains
};

// The plane of a cell: its rises by column and by row, the direction of steepest ascent in columns and rows (the same
// where cells are squares), and the squared length of the normal whose upward part is 1.
struct Slope {
  float x;
  float y;
  float ascent_x;
  float ascent_y;
  float norm2;
};

// The rises of a cell's plane at a position in it. corners: the surface at the cell's corners, x fastest.
KERNEL vec2 riseAt(ivec2 position, ivec4 corners, float inverse_cell) {
  float u = float(position.x & 255) * 0.00390625f;
  float v = float(position.y & 255) * 0.00390625f;
  float east = differenceOf(corners.y, corners.x) * inverse_cell;
  float south = differenceOf(corners.z, corners.x) * inverse_cell;
  float far = differenceOf(corners.w, corners.x) * inverse_cell;
  return vec2(east * (1.0f - v) + (far - south) * v, south * (1.0f - u) + (far - east) * u);
}
KERNEL Slope slopeOf(vec2 rise, vec2 ascent) {
  Slope slope;
  slope.x = rise.x;
  slope.y = rise.y;
  slope.ascent_x = ascent.x;
  slope.ascent_y = ascent.y;
  slope.norm2 = 1.0f + rise.x * ascent.x + rise.y * ascent.y;
  return slope;
}

// A particle of rain that falls on a cell with this hash and this inherited flow.
KERNEL Particle bornParticle(uint h, int flow, CollisionMoveParams params) {
  float discharge = float(flow) * 0.00390625f;
  float root = discharge > 0.001f ? discharge * reciprocalSqrt(discharge) : 0.0f;
  float inherited = min(params.inheritance * root, params.max_inherited_water);
  Particle particle;
  particle.position = ivec2(int(h >> 24), int((h >> 16) & 255u));
  particle.velocity = ivec2(0, 0);
  particle.climb = -int(params.fall_speed * 4096.0f);
  particle.water = 1024u + uint(int(inherited * 1024.0f));
  particle.load = 0u;
  return particle;
}

// A velocity in space while it is computed.
struct Velocity {
  float x;
  float y;
  float z;
};

KERNEL Velocity velocityOf(Particle particle) {
  Velocity v;
  v.x = float(particle.velocity.x) * 0.000244140625f;
  v.y = float(particle.velocity.y) * 0.000244140625f;
  v.z = float(particle.climb) * 0.000244140625f;
  return v;
}

KERNEL Particle withVelocity(Particle particle, Velocity v) {
  float speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
  float scale = speed2 > 15.9f ? 3.98f * reciprocalSqrt(speed2) : 1.0f;
  Particle result = particle;
  result.velocity =
      ivec2(int(floor(v.x * scale * 4096.0f + 0.5f)), int(floor(v.y * scale * 4096.0f + 0.5f)));
  result.climb = int(floor(v.z * scale * 4096.0f + 0.5f));
  return result;
}

// Draws a particle along its cell's plane, or down while it flies, for the time that a cell takes.
// Moves it by at most one cell.
KERNEL Particle drawnParticle(Particle particle, Slope slope, CollisionMoveParams params) {
  Velocity v = velocityOf(particle);
  float time = reciprocalSqrt(max(v.x * v.x + v.y * v.y, 0.25f));
  if (v.z - slope.x * v.x - slope.y * v.y > 0.05f) {
    v.z = v.z - params.gravity * time;
  } else {
    float pull = params.gravity * time * reciprocal(slope.norm2);
    v.x = (v.x - slope.ascent_x * pull) * params.kept_speed;
    v.y = (v.y - slope.ascent_y * pull) * params.kept_speed;
    v.z = (v.z - (slope.norm2 - 1.0f) * pull) * params.kept_speed;
  }
  Particle moved = particle;
  float across2 = v.x * v.x + v.y * v.y;
  if (across2 > 1e-8f) {
    float scale = reciprocalSqrt(across2) * 256.0f;
    moved.position.x = particle.position.x + int(floor(v.x * scale + 0.5f));
    moved.position.y = particle.position.y + int(floor(v.y * scale + 0.5f));
  }
  return withVelocity(moved, v);
}

struct Impact {
  Particle particle;
  uint energy;
};

// A particle hits the plane of the cell that it reached, loses speed into it, and may bounce.
KERNEL Impact impactOn(Particle particle, Slope slope, CollisionMoveParams params) {
  Velocity v = velocityOf(particle);
  float into = v.z - slope.x * v.x - slope.y * v.y;
  Impact impact;
  impact.particle = particle;
  impact.energy = 0u;
  if (into >= 0.0f) return impact;
  float inverse_norm2 = reciprocal(slope.norm2);
  float normal2 = into * into * inverse_norm2;
  bool splashes = normal2 > params.splash_speed * params.splash_speed;
  float turned = into * inverse_norm2 * (splashes ? 1.0f + params.restitution : 1.0f);
  v.x = v.x + slope.ascent_x * turned;
  v.y = v.y + slope.ascent_y * turned;
  v.z = v.z - turned;
  impact.particle = withVelocity(particle, v);
  // A particle that runs along the ground hits its unevenness.
  float along2 = v.x * v.x + v.y * v.y + v.z * v.z;
  float energy2 = normal2 + params.roughness2 * along2;
  float energy = energy2 * float(particle.water) * 0.00048828125f;
  impact.energy = uint(int(min(energy, 31.99f) * 8192.0f));
  return impact;
}

// Grains that a particle can carry.
KERNEL float capacityOf(Particle particle, CollisionMoveParams params) {
  Velocity v = velocityOf(particle);
  float speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
  float speed = speed2 > 1e-8f ? speed2 * reciprocalSqrt(speed2) : 0.0f;
  return min(params.capacity * speed * float(particle.water) * 0.0009765625f, 1073741824.0f);
}

// What a particle brings to the vertices under it, before it is weighted for each.
struct Freight {
  uint count;    // 64; 0 if the particle is full and digs nothing
  uint parcels;  // what it can't carry
  float room;    // the free part of its capacity
};

KERNEL Freight freightOf(Particle particle, CollisionMoveParams params) {
  float capacity = capacityOf(particle, params);
  float load = float(particle.load);
  Freight freight;
  freight.count = load < capacity ? 64u : 0u;
  uint surplus = uint(max(load - capacity, 0.0f) * params.deposition);
  freight.parcels = min(surplus, particle.load) >> kGrainsPerParcelBits;
  freight.room = load < capacity ? 1.0f - load * reciprocal(capacity) : 0.0f;
  return freight;
}

KERNEL uint countShare(Freight freight, int weight) { return (freight.count * uint(weight)) >> 16; }
KERNEL uint parcelShare(Freight freight, int weight) {
  return scaleByWeight(freight.parcels, uint(weight));
}
KERNEL uint energyShare(uint energy, Freight freight, int weight) {
  return uint(int(float(scaleByWeight(energy, uint(weight))) * freight.room));
}

// Two rates in one: grains that a unit of count gains, and grains that a parcel loses.
CONSTANT int kParcelRateBits = 11;
CONSTANT int kMaxCountRate = (1 << 20) - 1;
KERNEL int packedRates(int of_count, int of_parcel) {
  return (of_count << kParcelRateBits) | of_parcel;
}
// Grains that a particle gains at a vertex that settled at these rates.
KERNEL uint gainedBy(int rates, uint count, uint parcels) {
  return uint(rates >> kParcelRateBits) * count -
         uint(rates & ((1 << kParcelRateBits) - 1)) * parcels;
}

struct Ground {
  int height;
  uint fraction;
  int bedrock;
  int rates;
};

// What a vertex gives and takes. It gives K * energy / number^crowding, cushioned by the water over
// it: from the soft ground, or from the bedrock where that lies bare. lowest, highest: of the 3 x 3
// heights around it. level: of standing water (if wet), under which nothing breaks.
KERNEL Ground settledGround(int height, uint fraction, int bedrock, int lowest, int highest,
                            int level, bool wet, uint energy, uint count, uint parcels,
                            CollisionSettleParams params) {
  float drop = differenceOf(height, lowest) * params.inverse_cell;
  float rise = differenceOf(highest, height) * params.inverse_cell;
  int count_rate = 0;
  int parcel_rate = 0;
  if (count > 0u && !wet) {
    float number = float(count) * 0.015625f;
    float cover = max(differenceOf(height, bedrock), 0.0f) * params.inverse_cell;
    // A film of soft ground does not cover the bedrock.
    bool soft = cover > 0.000244140625f;
    float broken = float(energy) * 0.0001220703125f *
                   reciprocal(power(max(number, 1.0f), params.crowding)) *
                   reciprocal(1.0f + params.cushion * number) * (soft ? params.soft : params.hard);
    if (soft) broken = min(broken, cover);
    float grains = min(min(broken, drop * params.limit) * params.grains_per_cell, 16777216.0f);
    count_rate = min(int(grains * reciprocal(float(count))), kMaxCountRate);
  }
  if (parcels > 0u) {
    float room = rise * (lowest == height ? 0.5f : params.limit);
    if (wet) room = differenceOf(level, height) * params.inverse_cell * params.limit;
    float laid = min(float(parcels) * params.cells_per_parcel, room);
    float grains = min(laid * params.grains_per_cell, 268435456.0f);
    parcel_rate = min(int(grains * reciprocal(float(parcels))), 1 << kGrainsPerParcelBits);
  }
  int change = parcel_rate * int(parcels) - count_rate * int(count);
  Settlement settlement = settlementOf(height, fraction, change, 0, params.grain_bits);
  Ground ground;
  ground.height = settlement.height;
  ground.fraction = settlement.fraction;
  ground.bedrock = min(bedrock, settlement.height);
  ground.rates = packedRates(count_rate, parcel_rate);
  return ground;
}

KERNELS_END

#endif
