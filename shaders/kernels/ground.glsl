// Ground finer than hillslopes: each vertex by itself, from its parent's ground. Rock shows where slopes are steep;
// beds of it step, joints part it, gullies run down its slopes, stones lie under it, and soil is rough.
#ifndef THALWEG_KERNELS_GROUND
#define THALWEG_KERNELS_GROUND

#include "ground_lattice.glsl"
#include "ground_space.glsl"
#include "layers.glsl"
#include "sphere.glsl"
#include "upsample.glsl"

KERNELS_BEGIN

struct GroundParams {
  int planes;  // the layers, as bits, that have a plane in this world
  int parent_side;
  int parent_size;
  // The first of the level's streams of random numbers.
  uint stream;
  // The side of a cell in height units.
  float cell;
  // Turns of lattices with cells of 2^n / 25 (two of them) and 2^n / 65 cells: packedTurn, or packedSpaceTurn in space.
  int turn_a;
  int turn_b;
  int turn_c;
  int turn_d;
  // Lattices of lengths in metres, the same on all levels: farLattice, or farSpaceLattice in space. Folds of beds,
  // formations along the ground, patches of rock.
  int folds;
  int formations;
  int patches;
  // Pairs of numbers: packedPair16.
  int rock;   // slope over which rock shows; how far it varies
  int beds;   // the part of a bed's step that a soft bed takes; the thickness of a bed in cells
  int dip;    // the height of folds in 4,096 height units; the height of a formation in 4,096 height units
  int gully;  // depth in wavelengths for each unit of slope; the slope at which gullies begin
  int block;  // height of joint blocks in wavelengths for each unit of slope; stones a cell of their lattice on scree
  int soil;   // height of hummocks in cells; displacement of the first level in the parent's cells
};

// Two numbers of -16 to 16 in steps of 1/2048.
KERNEL int packedPair16(float first, float second) {
  return (int(floor(first * 2048.0f + 0.5f)) << 16) | (int(floor(second * 2048.0f + 0.5f)) & 65535);
}
KERNEL vec2 pairOf16(int packed) {
  return vec2(float(packed >> 16) * 0.00048828125f, float(int(uint(packed) << 16) >> 16) * 0.00048828125f);
}

// What a vertex knows of its parent's ground. On a plane, vectors have their parts to the east and the south, and none up.
struct GroundSite {
  bool in_space;  // whether it is on a planet: then places and vectors are in space
  // Low halves of its coordinates: in cells on a plane, in 2^-kSpaceUnitBits of a cell in space.
  uint x;
  uint y;
  uint z;
  int height;
  float slope;       // rise over run
  float wide_slope;  // over a wider part of the ground
  vec3 wide_ascent;  // the same with its direction
  vec3 up;           // only in space: away from the planet's middle, of length 1
  float bend;        // the change of slope over a parent's cell: above 0 in hollows
  int loose;         // the depth of loose ground, in height units
};

KERNEL GroundSite siteInSpace(Place place) {
  GroundSite site;
  site.in_space = true;
  site.x = uint(place.x >> (8 - kSpaceUnitBits));
  site.y = uint(place.y >> (8 - kSpaceUnitBits));
  site.z = uint(place.z >> (8 - kSpaceUnitBits));
  return site;
}

// Noise on a lattice of the level's own: cells of 2^shift over the turn's length, in cells of the level.
KERNEL SpacePlace spaceAt(GroundSite site, int turn, int shift) {
  return spacePlace(site.x, site.y, site.z, spaceTurn(turn), shift + kSpaceUnitBits);
}
KERNEL float noiseAt(GroundSite site, int turn, int shift, uint base) {
  if (site.in_space) return noiseIn(spaceAt(site, turn, shift), base);
  return noiseIn(cellPlace(site.x, site.y, turnOf(turn), shift), base);
}
// Noise on a lattice of a length in metres.
KERNEL float farNoiseAt(GroundSite site, int far, uint base) {
  if (site.in_space) return noiseIn(farSpacePlace(site.x, site.y, site.z, far), base);
  return noiseIn(farPlace(site.x, site.y, far), base);
}

// Slopes and the bend in 32 bits. They are held to 4 (76 degrees) and 2, in steps of 1/256.
KERNEL int heldBits(float value, float most, float scale) {
  return int(floor(clamp(value, -most, most) * scale + 0.5f));
}
KERNEL uint packedSlope(vec2 slope, float bend) {
  uint east = uint(heldBits(slope.x, 3.99f, 256.0f)) & 2047u;
  uint south = uint(heldBits(slope.y, 3.99f, 256.0f)) & 2047u;
  uint bent = uint(heldBits(bend, 1.99f, 256.0f)) & 1023u;
  return (east << 21) | (south << 10) | bent;
}
KERNEL vec3 slopeOf(uint packed) {
  return vec3(float(int(packed) >> 21), float(int(packed << 11) >> 21), float(int(packed << 22) >> 22)) *
         vec3(0.00390625f, 0.00390625f, 0.00390625f);
}
// Two slopes of up to 4, in steps of 1/8192.
KERNEL uint packedWideSlope(vec2 slope) {
  uint east = uint(heldBits(slope.x, 3.99f, 8192.0f)) & 65535u;
  uint south = uint(heldBits(slope.y, 3.99f, 8192.0f)) & 65535u;
  return (east << 16) | south;
}
KERNEL vec2 wideSlopeOf(uint packed) {
  return vec2(float(int(packed) >> 16), float(int(packed << 16) >> 16)) * vec2(0.00012207031f, 0.00012207031f);
}

// What lies at a vertex, as parts of the ground that sum to 1.
struct GroundMasks {
  float rock;
  float scree;
  float soil;
};

// Streams of a level's ground.
CONSTANT uint kGroundFolds = 0x70000000u;  // the same for all levels, as are the next two
CONSTANT uint kGroundFormations = 0x70000001u;
CONSTANT uint kGroundPatches = 0x70000002u;
CONSTANT uint kGroundBeds = 0u;  // from here on counted from the level's first
CONSTANT uint kGroundBedHash = 1u;
CONSTANT uint kGroundSides = 2u;
CONSTANT uint kGroundOtherSides = 3u;
CONSTANT uint kGroundGullies = 4u;
CONSTANT uint kGroundGullyTurn = 5u;
CONSTANT uint kGroundGullyPatch = 6u;
CONSTANT uint kGroundJoints = 7u;
CONSTANT uint kGroundSoilPatch = 8u;
CONSTANT uint kGroundSoil = 9u;
CONSTANT uint kGroundFineSoil = 10u;
CONSTANT uint kGroundStonePatch = 11u;
CONSTANT uint kGroundStones = 12u;
CONSTANT uint kGroundOtherStones = 13u;
CONSTANT uint kGroundEast = 14u;
CONSTANT uint kGroundSouth = 15u;
CONSTANT uint kGroundStreams = 16u;

// A displacement of at most 0.7 of the parent's cell, in 1/256 of it.
KERNEL int heldMove(float cells) { return int(floor(clamp(256.0f * cells, -179.0f, 179.0f))); }
// How far the first level of ground is displaced along an axis of a plane. The other values are the first level's, in
// GroundParams.
KERNEL int displacementAt(uint x, uint y, uint axis, uint stream, int turn, int soil, uvec2 seed) {
  float noise = noiseIn(cellPlace(x, y, turnOf(turn), 8), hashStream(seed, stream + axis));
  return heldMove(pairOf16(soil).y * noise);
}
// The same at a vertex of a planet's face: by column and by row.
KERNEL ivec2 displacementOnSphere(int face, Place place, Frame frame, uint stream, int turn, int soil, uvec2 seed) {
  vec3 noises = noisesIn(spaceAt(siteInSpace(place), turn, 8), hashStream(seed, stream + kGroundEast));
  vec3 by = inFace(face, scaled(noises, pairOf16(soil).y));
  vec2 on = onFace(frame, by.x, by.y, by.z);
  return ivec2(heldMove(on.x), heldMove(on.y));
}

// The weights of four values in a row, at t between the second and the third: half of a cubic that goes through the
// values (Catmull & Rom 1974), and half of a cubic B-spline, which smooths what a single value has.
KERNEL vec4 groundWeights(float t) {
  float r = 1.0f - t;
  float first = 0.5f * (-t + 2.0f * t * t - t * t * t) + r * r * r * 0.16666667f;
  float second = 0.5f * (2.0f - 5.0f * t * t + 3.0f * t * t * t) + (3.0f * t * t * t - 6.0f * t * t + 4.0f) * 0.16666667f;
  float third = 0.5f * (t + 4.0f * t * t - 3.0f * t * t * t) + (3.0f * r * r * r - 6.0f * r * r + 4.0f) * 0.16666667f;
  float fourth = 0.5f * (t * t * t - t * t) + t * t * t * 0.16666667f;
  return vec4(0.5f * first, 0.5f * second, 0.5f * third, 0.5f * fourth);
}

// The height of a place over the beds' own floor, in height units: beds are folded.
KERNEL int bedHeight(GroundSite site, GroundParams params, uvec2 seed) {
  float fold = farNoiseAt(site, params.folds, hashStream(seed, kGroundFolds));
  return site.height + int(floor(fold * pairOf16(params.dip).x * 4096.0f * 4096.0f));
}

// The noise of a formation, `level` formations high. On a plane its lattice stands upright; in space the lattice moves up
// with the level, along one of its axes.
KERNEL float formationAt(GroundSite site, float level, int far, uint base) {
  float floor_level = floor(level);
  if (site.in_space) {
    SpacePlace place = farSpacePlace(site.x, site.y, site.z, far);
    float above = place.at.z + (level - floor_level);
    float floor_above = floor(above);
    place.z += uint(int(floor_level + floor_above));
    place.at.z = above - floor_above;
    return noiseIn(place, base);
  }
  CellPlace layer = farPlace(site.x, site.y, far);
  layer.y = uint(int(floor_level));
  layer.mask_y = 0xffffffffu;
  layer.at_y = level - floor_level;
  return noiseIn(layer, base);
}

KERNEL GroundMasks masksAt(GroundSite site, int bed_height, GroundParams params, uvec2 seed) {
  // Formations are layers of rock that is hard or soft, and longer than they are high.
  float level = float(bed_height) * reciprocal(max(pairOf16(params.dip).y * 4096.0f * 4096.0f, 1.0f));
  float formation = formationAt(site, level, params.formations, hashStream(seed, kGroundFormations));
  float patchy = farNoiseAt(site, params.patches, hashStream(seed, kGroundPatches));
  vec2 shows = pairOf16(params.rock);
  float threshold = shows.x + shows.y * (0.9f * patchy - 1.76f * formation);
  GroundMasks masks;
  // Deep sand and gravel cover rock, however steep they lie.
  float buried = smoothFrom(0.6f, 1.6666666f, float(site.loose) * 0.000015258789f);
  masks.rock = (1.0f - buried) * smoothFrom(threshold - 0.1f, 5.0f, site.slope - 0.35f * site.bend);
  masks.scree = (1.0f - masks.rock) * smoothFrom(0.42f, 5.5555556f, site.slope);
  masks.soil = 1.0f - masks.rock - masks.scree;
  return masks;
}

// How far the ground at a part of a step, 0 to 1, lies under its end, if the lower part `soft` of it recedes fully.
KERNEL float softPart(float part, float soft) {
  return part < soft ? part : soft * (1.0f - part) * reciprocal(1.0f - soft);
}

// How far a bed moves the ground at a height over its floor, in beds' thicknesses: a soft part recedes, a hard part
// stands. Rises with the height as long as `amount` is less than 1, so no bed turns over.
KERNEL float bedStep(float part, float soft, float amount) { return amount * (0.5f * soft - softPart(part, soft)); }

// The step of a bed, `height` over the beds' floor.
KERNEL float stepAt(int height, int thickness, float per_thickness, float side, float other_side, uint base) {
  int bed = int(floor(float(height) * per_thickness));
  float part = clamp(float(height - bed * thickness) * per_thickness, 0.0f, 1.0f);
  uint hash = pcg(base ^ uint(bed));
  float soft = 0.42f + 0.4f * (float(int(hash >> 8)) * 5.9604645e-8f);
  float hardness = float(int(pcg(hash) >> 8)) * 5.9604645e-8f;
  vec2 mix = directionOfHash(pcg(hash + 1u));
  // Beds die out sideways, each in its own places.
  float along = smoothFrom(-0.25f, 2.0f, mix.x * side + mix.y * other_side + 0.35f * (2.0f * hardness - 1.0f));
  float amount = along * (0.12f + 0.88f * hardness * hardness * (3.0f - 2.0f * hardness));
  return bedStep(part, soft, amount);
}

// The height of the steps of beds, in cells.
KERNEL float bedsAt(GroundSite site, int bed_height, float rock, GroundParams params, uvec2 seed) {
  vec2 beds = pairOf16(params.beds);
  float thick = beds.y * params.cell;
  float per_thickness = reciprocal(thick);
  int thickness = int(thick);
  float warp = noiseAt(site, params.turn_c, 12, hashStream(seed, params.stream + kGroundBeds));
  float side = noiseAt(site, params.turn_d, 11, hashStream(seed, params.stream + kGroundSides));
  float other = noiseAt(site, params.turn_c, 11, hashStream(seed, params.stream + kGroundOtherSides));
  int warped = bed_height + int(0.9f * thick * warp);
  // Cells over which a bed crops out: with fewer than two it can't be drawn.
  float run = beds.y * reciprocal(max(site.wide_slope, 0.05f));
  float amount = beds.x * rock * smoothFrom(1.6f, 0.71428573f, run);
  // The mean of two heights, or cliffs would be jagged.
  int tap = int(0.3f * site.slope * params.cell);
  uint base = hashStream(seed, params.stream + kGroundBedHash);
  float steps = stepAt(warped - tap, thickness, per_thickness, side, other, base) +
                stepAt(warped + tap, thickness, per_thickness, side, other, base);
  return 0.5f * beds.y * amount * steps;
}

// Gullies are stripes on a lattice of 6.24 cells.
CONSTANT float kGullyCells = 5.676f;       // their wavelength
CONSTANT float kGullyWaves = 0.02682927f;  // in a cell of the lattice, for each unit of its turn
// Turns in space of the norm 41, as long as those on a plane: packedSpaceTurn(4, 4, 3, 0) and (4, 0, 3, 4).
CONSTANT int kEvenGullies = 17456;
CONSTANT int kOddGullies = 16436;
// The stripes of gullies: they run along a direction of the ground, and bend by `turned`.
KERNEL vec2 gullyStripes(GroundSite site, float turned, bool is_even, uint base) {
  if (site.in_space) {
    vec3 level = spaceCross(site.up, site.wide_ascent);
    vec3 across = unitVector(level - scaled(site.wide_ascent, turned));
    SpaceTurn turn = spaceTurn(is_even ? kEvenGullies : kOddGullies);
    return stripes(spacePlace(site.x, site.y, site.z, turn, 8 + kSpaceUnitBits), scaled(turnedBy(turn, across), kGullyWaves), base);
  }
  float east = site.wide_ascent.x - turned * site.wide_ascent.y;
  float south = site.wide_ascent.y + turned * site.wide_ascent.x;
  float scale = reciprocalSqrt(max(east * east + south * south, 1e-8f));
  ivec2 turn = is_even ? ivec2(40, 9) : ivec2(9, 40);
  vec2 along = vec2(east * scale, south * scale);
  vec2 across = vec2((-along.y * float(turn.x) - along.x * float(turn.y)) * kGullyWaves,
                     (-along.y * float(turn.y) + along.x * float(turn.x)) * kGullyWaves);
  return stripes(cellPlace(site.x, site.y, turn, 8), across, base);
}

// The depth of gullies, in cells: sharp floors between round ribs, down the slope. Nothing on crests.
KERNEL float gulliesAt(GroundSite site, float rock, GroundParams params, uvec2 seed) {
  vec2 gully = pairOf16(params.gully);
  float turned = 1.1f * noiseAt(site, params.turn_a, 9, hashStream(seed, params.stream + kGroundGullyTurn));
  float patchy = noiseAt(site, params.turn_b, 11, hashStream(seed, params.stream + kGroundGullyPatch));
  float amount = smoothFrom(gully.y, 4.0f, site.wide_slope) * (1.0f - smoothFrom(0.05f, 2.5f, -site.bend)) *
                 (0.35f + 0.65f * smoothFrom(-0.3f, 1.6666666f, patchy));
  vec2 wave = gullyStripes(site, turned, (params.stream & kGroundStreams) != 0u, hashStream(seed, params.stream + kGroundGullies));
  float square = wave.x * wave.x + wave.y * wave.y;
  float cosine = wave.x * reciprocalSqrt(max(square, 0.04f));
  float depth = lengthOf(max(0.5f * (1.0f - cosine), 0.0f)) - 0.637f;
  return kGullyCells * min(site.slope, 1.6f) * gully.x * amount * (0.45f + 0.55f * rock) * depth;
}

// The joints around a place: how far it is from them, 0 to 1; the hash of its block; and how far it is up on the block's
// tilted top.
struct Joints {
  float inside;
  uint hash;
  float up;
};
KERNEL Joints jointsAt(GroundSite site, int turn, uint base) {
  Joints joints;
  if (site.in_space) {
    // Cells of 5.12.
    NearSpacePoints near = nearPoints(spaceAt(site, turn, 7), base);
    vec2 tilt = directionOfHash(pcg(near.hash));
    joints.inside = smoothFrom(0.0f, 2.3809524f, lengthOf(near.second) - lengthOf(near.first));
    joints.hash = near.hash;
    joints.up = tilt.x * near.away.x + tilt.y * near.away.y;
    return joints;
  }
  // Cells of 5.12 x 7.64.
  uint qx = site.x * 24u - site.y * 7u;
  uint qy = site.x * 5u + site.y * 16u;
  CellPlace place;
  place.x = qx >> 7u;
  place.y = qy >> 7u;
  place.mask_x = maskOf(25);
  place.mask_y = maskOf(25);
  place.at_x = float(int(qx & 127u)) * 0.0078125f;
  place.at_y = float(int(qy & 127u)) * 0.0078125f;
  NearPoints near = nearPoints(place, base);
  vec2 tilt = directionOfHash(pcg(near.hash));
  joints.inside = smoothFrom(0.0f, 2.3809524f, lengthOf(near.second) - lengthOf(near.first));
  joints.hash = near.hash;
  joints.up = tilt.x * near.x + tilt.y * near.y;
  return joints;
}

// The height of blocks between joints, in cells: each is raised and tilted a little, and its edges are lower.
KERNEL float blocksAt(GroundSite site, float rock, GroundParams params, uvec2 seed) {
  Joints joints = jointsAt(site, params.turn_b, hashStream(seed, params.stream + kGroundJoints));
  float raised = float(int(pcg(joints.hash + 1u) >> 8)) * 5.9604645e-8f - 0.5f;
  float height = raised * 1.3f * joints.inside + 0.5f * joints.up * 1.4f * joints.inside - 0.1f * (1.0f - joints.inside);
  return 5.12f * pairOf16(params.block).x * rock * min(site.slope, 1.8f) * height;
}

// A stone's top at a place, as a part of its height: flat, with steep sides. x, y: from its middle, in radii. The hash
// makes it long or short.
KERNEL float stoneTop(float x, float y, float size, uint hash) {
  float v = y * (0.75f + 0.5f * (float(int((hash >> 16) & 255u)) * 0.00390625f));
  float far = max(max(abs(x), abs(v)), 0.8f * max(abs(x + 0.7f * v), abs(v - 0.7f * x)));
  float square = far * far;
  return (0.55f + 0.4f * size) * (1.0f - square * square) - 0.06f;
}

// The height of a stone of a lattice of 7.88 cells, in cells; 0 beside it.
KERNEL float stoneAt(GroundSite site, int packed_turn, float chance, uint base) {
  if (site.in_space) {
    SpaceTurn turn = spaceTurn(packed_turn);
    SpacePlace place = spacePlace(site.x, site.y, site.z, turn, 9 + kSpaceUnitBits);
    uint hash = cellHash(place, rowHash(place, layerHash(place, base, 0u), 0u), 0u);
    uint other = pcg(hash);
    float size = float(int(other >> 24)) * 0.00390625f;
    // The ground cuts few cells through a ball's middle, so balls are more than stones on a plane.
    float radius = 0.13f + 0.22f * size * size * size;
    CutBall cut = cutBall(place.at - vec3(0.5f, 0.5f, 0.5f) - scaled(pointOf(hash), 0.55f), radius, scaled(turnedBy(turn, site.up), 0.015384615f), other);
    // Conditions that are joined would keep rows from being vectors.
    float cut_chance = cut.radius > 0.08f ? 2.5f * chance : 0.0f;
    bool is_cut = float(int(pcg(other) >> 24)) * 0.00390625f < cut_chance;
    float top = cut.radius * 7.877f * stoneTop(cut.x, cut.y, size, other);
    return is_cut ? max(top, 0.0f) : 0.0f;
  }
  CellPlace place = cellPlace(site.x, site.y, turnOf(packed_turn), 9);
  uint hash = cellHash(place, rowHash(place, base, 0u), 0u);
  uint other = pcg(hash);
  float size = float(int(other >> 24)) * 0.00390625f;
  float radius = 0.11f + 0.2f * size * size * size;
  float x = place.at_x - 0.33f - 0.34f * (float(int((hash >> 8) & 4095u)) * 0.00024414063f);
  float y = place.at_y - 0.33f - 0.34f * (float(int((hash >> 20) & 4095u)) * 0.00024414063f);
  vec2 turned = directionOfHash(other << 8);
  float across = reciprocal(radius);
  float u = (x * turned.x + y * turned.y) * across;
  float v = (y * turned.x - x * turned.y) * across;
  bool is_there = float(int(hash & 255u)) * 0.00390625f < chance;
  float height = radius * 7.877f * stoneTop(u, v, size, other);
  return is_there ? max(height, 0.0f) : 0.0f;
}

KERNEL float stonesAt(GroundSite site, GroundMasks masks, GroundParams params, uvec2 seed) {
  float patchy = noiseAt(site, params.turn_d, 12, hashStream(seed, params.stream + kGroundStonePatch));
  float hollow = smoothFrom(0.0f, 4.0f, site.bend);
  float chance = pairOf16(params.block).y * smoothFrom(-0.3f, 1.4285715f, patchy) *
                 (masks.scree * (0.3f + hollow) + 0.12f * masks.rock + 0.03f * masks.soil * (0.5f + hollow));
  return max(stoneAt(site, params.turn_c, chance, hashStream(seed, params.stream + kGroundStones)),
             stoneAt(site, params.turn_d, chance, hashStream(seed, params.stream + kGroundOtherStones)));
}

// The height of hummocks, in cells: patchy, and a little less on scree and rock. Level ground has low ones, or it would be
// full of pits.
KERNEL float soilAt(GroundSite site, GroundMasks masks, GroundParams params, uvec2 seed) {
  float patchy = noiseAt(site, params.turn_b, 10, hashStream(seed, params.stream + kGroundSoilPatch));
  float wide = noiseAt(site, params.turn_c, 9, hashStream(seed, params.stream + kGroundSoil));
  float fine = noiseAt(site, params.turn_d, 8, hashStream(seed, params.stream + kGroundFineSoil));
  float amount = (0.35f + 1.1f * smoothFrom(-0.15f, 1.6666666f, patchy)) * (0.9f + 0.1f * masks.soil) * min(8.0f * site.slope, 1.0f);
  return pairOf16(params.soil).x * amount * (0.75f * fine + 0.65f * wide);
}

// What a level adds to its parent's ground.
struct GroundDetail {
  int added;   // height units
  float rock;  // the part of the ground that is bare rock
};
KERNEL GroundDetail groundDetail(GroundSite site, GroundParams params, uvec2 seed) {
  int bed_height = bedHeight(site, params, seed);
  GroundMasks masks = masksAt(site, bed_height, params, seed);
  float cells = bedsAt(site, bed_height, masks.rock, params, seed) + gulliesAt(site, masks.rock, params, seed) +
                blocksAt(site, masks.rock, params, seed) + soilAt(site, masks, params, seed) +
                stonesAt(site, masks, params, seed);
  GroundDetail detail;
  detail.added = heldChange(cells * params.cell);
  detail.rock = masks.rock;
  return detail;
}

// The depth in height units of the loose ground that lies where no rock is bare: half a metre, if no more lies there.
CONSTANT int kLooseGround = 32768;
KERNEL int looseGround(int inherited, float rock) {
  return int(floor(float(max(inherited, kLooseGround)) * (1.0f - rock)));
}
// The part of the ground that is bare rock, from the depth of loose ground on it.
KERNEL float bareRock(int loose) { return 1.0f - min(float(loose) * 0.000030517578f, 1.0f); }

KERNELS_END

#endif
