// Forms that some lands have on their ground: dunes and striae in trains, terracettes, small craters, cliffs of coasts.
#ifndef THALWEG_KERNELS_GROUND_FORMS
#define THALWEG_KERNELS_GROUND_FORMS

#include "ground.glsl"

KERNELS_BEGIN

// Streams of a level's forms, counted from the level's first.
CONSTANT uint kTrainStreams = 3u;  // of each train, from 0 on: stripes, bends, patches
CONSTANT uint kTerraceWarp = 32u;
CONSTANT uint kTerracePatches = 33u;
CONSTANT uint kCraters = 34u;
CONSTANT uint kFormStreams = 64u;
CONSTANT uint kCoastHeights = 0x70000003u;  // the same for all levels

// Ridges one behind the other: dunes across the wind, or the striae and flutes that ice leaves along its way.
struct TrainParams {
  int planes;
  uint stream;  // the train's first
  // Lattices: of 1.1 wavelengths, of the bends and of the patches. See farLattice.
  int lattice;
  int bends;
  int patches;
  int direction;  // from ridge to ridge, east and south, a unit vector; packedPair16
  float across;   // waves in a cell of the lattice for each unit of its turn
  float height;   // of a ridge, in height units
  int profile;    // the part of a wave that falls; how far bends turn it: packedPair16
  int slopes;     // the slope at which it begins to fade; the slope at which it is gone: packedPair16
  int base_level;  // the height of ground that stays flat: salt flats, the sea
  int on_rock;     // 1: on bare rock, and it moves the rock; 0: on loose ground, and it is loose itself
};

// The angle of a vector in turns, 0 to 1, to a hundredth.
KERNEL float turnsOf(vec2 v) {
  float a = 0.25f * v.y * reciprocal(max(abs(v.x) + abs(v.y), 1e-6f));
  float turns = v.x >= 0.0f ? a : 0.5f - a;
  return turns - floor(turns);
}

// The height of a ridge, 0 to 1, at a part of the wave: a long rise that ends in a crest, then a fall.
KERNEL float ridgeAt(float part, float fall) {
  float rise = 1.0f - fall;
  float up = part * reciprocal(rise);
  float down = (1.0f - part) * reciprocal(fall);
  return part < rise ? up * up * (1.5f - 0.5f * up) : down * (1.3f - 0.3f * down);
}

// The stripes of a train across a direction to the east and the south.
KERNEL vec2 trainStripes(GroundSite site, vec2 towards, TrainParams params, uint base) {
  float scale = params.across * reciprocalSqrt(max(towards.x * towards.x + towards.y * towards.y, 1e-8f));
  if (site.in_space) {
    // The third axis of space is the planet's.
    vec3 east = unitVector(vec3(-site.up.y, site.up.x, 0.0f));
    vec3 south = spaceCross(east, site.up);
    vec3 across = scaled(east, towards.x * scale) + scaled(south, towards.y * scale);
    return stripes(farSpacePlace(site.x, site.y, site.z, params.lattice),
                   turnedBy(farSpaceTurn(params.lattice), across), base);
  }
  ivec2 turn = farTurn(params.lattice);
  float turn_x = float(turn.x);
  float turn_y = float(turn.y);
  vec2 across = vec2((towards.x * turn_x - towards.y * turn_y) * scale, (towards.x * turn_y + towards.y * turn_x) * scale);
  return stripes(farPlace(site.x, site.y, params.lattice), across, base);
}

// What a train adds, in height units.
KERNEL int trainAt(GroundSite site, TrainParams params, uvec2 seed) {
  float rock = bareRock(site.loose);
  vec2 profile = pairOf16(params.profile);
  vec2 direction = pairOf16(params.direction);
  vec2 slopes = pairOf16(params.slopes);
  float bend = profile.y * farNoiseAt(site, params.bends, hashStream(seed, params.stream + 1u));
  float patchy = farNoiseAt(site, params.patches, hashStream(seed, params.stream + 2u));
  vec2 wave = trainStripes(site, vec2(direction.x - bend * direction.y, direction.y + bend * direction.x), params,
                           hashStream(seed, params.stream));
  float fades = reciprocal(max(slopes.y - slopes.x, 0.01f));
  float above = float((site.height >> 8) - (params.base_level >> 8)) * 0.00390625f;  // metres
  float amount = smoothFrom(-0.2f, 1.8f, patchy) * (1.0f - smoothFrom(slopes.x, fades, site.wide_slope)) *
                 smoothFrom(0.5f, 0.4f, above) * smoothFrom(0.02f, 3.0f, wave.x * wave.x + wave.y * wave.y) *
                 (params.on_rock == 1 ? rock : 1.0f - rock);
  return int(floor(params.height * amount * ridgeAt(turnsOf(wave), profile.x)));
}

// Narrow steps of turf along steep soil.
struct TerraceParams {
  int planes;
  uint stream;
  float cell;
  int turn_a;  // as in GroundParams
  int turn_b;
  float step;  // the part of a step that its tread takes from its riser
};
KERNEL int terraceAt(GroundSite site, TerraceParams params, uvec2 seed) {
  float thick = 1.1f * params.cell;
  float warp = noiseAt(site, params.turn_a, 11, hashStream(seed, params.stream + kTerraceWarp));
  float patchy =
      noiseAt(site, params.turn_b, 11, hashStream(seed, params.stream + kTerracePatches));
  float amount = params.step * (1.0f - bareRock(site.loose)) * smoothFrom(0.36f, 7.0f, site.slope) * (1.0f - smoothFrom(0.75f, 6.0f, site.slope)) *
                 smoothFrom(-0.1f, 2.5f, patchy);
  int height = site.height + int(0.9f * thick * warp);
  float steps = float(height) * reciprocal(thick);
  return int(floor(thick * bedStep(steps - floor(steps), 0.62f, amount)));
}

// Small craters: a bowl and its rim, fresh or worn.
struct CraterParams {
  int planes;
  uint stream;
  float cell;
  int turn;      // of a lattice with cells of 512 / its length
  float chance;  // the part of the lattice's cells that have a crater
  float depth;   // of a fresh crater, in radii
};
// A crater's ground at `away` radii from its middle, in radii. other: a hash, which has its age.
KERNEL float craterProfile(float away, uint other) {
  float age = float(int((other >> 8) & 255u)) * 0.00390625f;
  float beside = max(2.0f - away, 0.0f);
  float bowl = away < 1.0f ? 1.28f * away * away - 1.0f : 0.28f * beside * beside * beside;
  // One in eight is fresh.
  return bowl * (0.12f + 0.45f * (1.0f - age) * (1.0f - age) + (age < 0.12f ? 0.43f : 0.0f));
}
KERNEL float crater(CellPlace place, uint row, int east, int south, CraterParams params) {
  uint hash = cellHash(place, row, uint(east));
  uint other = pcg(hash);
  float x = place.at_x - float(east) - 0.2f - 0.6f * (float(int(hash & 4095u)) * 0.00024414063f);
  float y = place.at_y - float(south) - 0.2f - 0.6f * (float(int((hash >> 12) & 4095u)) * 0.00024414063f);
  float size = float(int(other & 255u)) * 0.00390625f;
  float radius = 0.19f + 0.19f * size * size;
  float away = lengthOf(x * x + y * y) * reciprocal(radius);
  bool is_there = float(int(hash >> 24)) * 0.00390625f < params.chance;
  return is_there ? radius * craterProfile(away, other) : 0.0f;
}
KERNEL float craterRow(CellPlace place, uint base, int south, CraterParams params) {
  uint row = rowHash(place, base, uint(south));
  return crater(place, row, -1, south, params) + crater(place, row, 0, south, params) + crater(place, row, 1, south, params);
}
// In space a crater is a ball that the ground cuts. up: the ground's normal in the lattice's axes.
KERNEL float spaceCrater(SpacePlace first, uint row, uint east, vec3 from, vec3 up, CraterParams params) {
  uint hash = cellHash(first, row, east);
  uint other = pcg(hash);
  float size = float(int(other & 255u)) * 0.00390625f;
  // Twice the radius is what firstAround allows.
  vec3 away = from - vec3(float(int(east)), 0.0f, 0.0f) - pointOf(hash);
  CutBall cut = cutBall(away, 0.22f + 0.155f * size * size, up, other);
  // Conditions that are joined would keep rows from being vectors.
  float cut_chance = cut.radius > 0.1f ? 1.6f * params.chance : 0.0f;
  bool is_there = float(int(pcg(other) >> 24)) * 0.00390625f < cut_chance;
  return is_there ? cut.radius * craterProfile(lengthOf(cut.x * cut.x + cut.y * cut.y), other) : 0.0f;
}
KERNEL float spaceCraterRow(SpacePlace first, uint layer, uint south, vec3 from, vec3 up, CraterParams params) {
  uint row = rowHash(first, layer, south);
  vec3 away = from - vec3(0.0f, float(int(south)), 0.0f);
  return spaceCrater(first, row, 0u, away, up, params) + spaceCrater(first, row, 1u, away, up, params);
}
KERNEL float spaceCraterLayer(SpacePlace first, uint base, uint high, vec3 up, CraterParams params) {
  uint layer = layerHash(first, base, high);
  vec3 away = first.at - vec3(0.0f, 0.0f, float(int(high)));
  return spaceCraterRow(first, layer, 0u, away, up, params) + spaceCraterRow(first, layer, 1u, away, up, params);
}
KERNEL float craterDepth(GroundSite site, CraterParams params, uint base) {
  if (site.in_space) {
    SpaceTurn turn = spaceTurn(params.turn);
    SpacePlace first = firstAround(spacePlace(site.x, site.y, site.z, turn, 9 + kSpaceUnitBits));
    vec3 up = scaled(turnedBy(turn, site.up), 0.015384615f);
    return spaceCraterLayer(first, base, 0u, up, params) + spaceCraterLayer(first, base, 1u, up, params);
  }
  CellPlace place = cellPlace(site.x, site.y, turnOf(params.turn), 9);
  return craterRow(place, base, -1, params) + craterRow(place, base, 0, params) + craterRow(place, base, 1, params);
}
KERNEL int cratersAt(GroundSite site, CraterParams params, uvec2 seed) {
  float depth = craterDepth(site, params, hashStream(seed, params.stream + kCraters));
  // A cell of the lattice has 512 / 65 cells.
  return heldChange(depth * params.depth * params.cell * 7.8769231f);
}

// Cliffs of a coast: waves cut a bench at the sea's height, and what is above it falls.
struct CoastParams {
  int planes;
  uint stream;
  int heights;  // a lattice, see farLattice: how the height of cliffs changes along the coast
  int sea_level;
  float height;  // of the highest cliffs, in height units
  float step;    // the part of a cliff's height that a level takes from its foot
};
KERNEL int coastAt(GroundSite site, CoastParams params, uvec2 seed) {
  float noise = farNoiseAt(site, params.heights, hashStream(seed, kCoastHeights));
  float cliff = params.height * (0.3f + 0.7f * smoothFrom(-0.6f, 0.8333333f, noise));
  float above = float((site.height >> 1) - (params.sea_level >> 1)) * 2.0f;
  float part = clamp(above * reciprocal(cliff), 0.0f, 1.0f);
  float amount = params.step * smoothFrom(0.1f, 4.0f, site.wide_slope);
  return -int(floor(cliff * amount * softPart(part, 0.62f)));
}

KERNELS_END

#endif
