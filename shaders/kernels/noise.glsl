// Gradient noise on lattices that are turned against the vertex grid. So no octave shows the grid's
// axes, and no two octaves have the same zeros.
#ifndef THALWEG_KERNELS_NOISE
#define THALWEG_KERNELS_NOISE

#include "exact.glsl"
#include "hash.glsl"

KERNELS_BEGIN

// A place in 1/256 of a level's cell, 64-bit fixed-point. On a plane: vertex coordinates, with z = 0. On a
// planet: the position from its middle along the axes of space.
struct Place {
  int64_t x;
  int64_t y;
  int64_t z;
};

KERNEL Place placeOnPlane(int64_t column, int64_t row) {
  Place place;
  place.x = column * 256;
  place.y = row * 256;
  place.z = int64_t(0);
  return place;
}

// A lattice of gradients. A place p is turned and scaled to q = p * (turn.x + i * turn.y), and 2^shift units
// of q are a lattice cell. Every |turn| is 31 or less, so |p| < 2^57 cannot overflow. In space, turn_y is
// one of kSpaceTurns turns, and turn_x is the factor that p is scaled by afterwards.
struct Lattice {
  int turn_x;
  int turn_y;
  int shift;
  uint stream;
};

// 6t^5 - 15t^4 + 10t^3: zero first and second derivatives at 0 and 1 (Perlin 2002).
KERNEL float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

// a if `part` is 0, b if it is 1.
KERNEL float between(float a, float b, float part) { return a + (b - a) * part; }
KERNEL vec3 between(vec3 a, vec3 b, float part) { return a + (b - a) * vec3(part, part, part); }

// A unit vector. The hash gives its angle, evenly distributed.
KERNEL vec2 gradientOf(uint hash) {
  // An eighth of the circle: a cubic for tan(pi/4 t), with an error of 0.002.
  float t = float(hash >> 8) * 5.9604645e-8f;
  float tangent = t * (0.7854f + 0.2146f * t * t);
  float unit = reciprocalSqrt(1.0f + tangent * tangent);
  float along = unit;
  float across = tangent * unit;
  along = (hash & 2u) != 0u ? along : -along;
  across = (hash & 4u) != 0u ? across : -across;
  return (hash & 1u) != 0u ? vec2(along, across) : vec2(across, along);
}

// Where a place lies in a lattice of a plane: its cell, and its position in the cell, 0 to 1.
struct PlaneCell {
  int64_t x;
  int64_t y;
  vec2 at;
};

KERNEL PlaneCell planeCell(Place place, Lattice lattice) {
  int64_t qx = place.x * lattice.turn_x - place.y * lattice.turn_y;
  int64_t qy = place.x * lattice.turn_y + place.y * lattice.turn_x;
  PlaneCell cell;
  cell.x = floorShift(qx, lattice.shift);
  cell.y = floorShift(qy, lattice.shift);
  // Positions inside the cell keep 20 bits: exact in a float.
  int drop = max(lattice.shift - 20, 0);
  float to_unit = uintBitsToFloat(uint(127 - min(lattice.shift, 20)) << 23);
  cell.at.x = float(int(uint64_t(qx - (cell.x << lattice.shift)) >> drop)) * to_unit;
  cell.at.y = float(int(uint64_t(qy - (cell.y << lattice.shift)) >> drop)) * to_unit;
  return cell;
}

// The gradients at the corners of a cell of a plane.
struct PlaneCorners {
  vec2 nw;
  vec2 ne;
  vec2 sw;
  vec2 se;
};

KERNEL PlaneCorners planeCorners(int64_t x, int64_t y, uint stream, uvec2 seed) {
  PlaneCorners corners;
  corners.nw = gradientOf(hashPoint(seed, stream, x, y));
  corners.ne = gradientOf(hashPoint(seed, stream, x + 1, y));
  corners.sw = gradientOf(hashPoint(seed, stream, x, y + 1));
  corners.se = gradientOf(hashPoint(seed, stream, x + 1, y + 1));
  return corners;
}

KERNEL float gradientDot(vec2 gradient, float x, float y) { return x * gradient.x + y * gradient.y; }

// The noise in a cell: mean 0, about -1 to 1.
KERNEL float noiseBetween(PlaneCorners corners, vec2 at) {
  float nw = gradientDot(corners.nw, at.x, at.y);
  float ne = gradientDot(corners.ne, at.x - 1.0f, at.y);
  float sw = gradientDot(corners.sw, at.x, at.y - 1.0f);
  float se = gradientDot(corners.se, at.x - 1.0f, at.y - 1.0f);
  float u = fade(at.x);
  float v = fade(at.y);
  return between(between(nw, ne, u), between(sw, se, u), v) * 1.41421356f;
}

// Gradient noise at a place.
KERNEL float gradientNoise(Place place, Lattice lattice, uvec2 seed) {
  PlaneCell cell = planeCell(place, lattice);
  return noiseBetween(planeCorners(cell.x, cell.y, lattice.stream, seed), cell.at);
}

// Where a window of a plane lies in a lattice whose gradients stand in a table: all cells in which a vertex of the
// window lies, or a place up to kTableMargin cells beside it.
struct NoiseTable {
  // The lattice cell of the window's north-west corner, and where in that cell it lies.
  int64_t cell_x;
  int64_t cell_y;
  int part_x;
  int part_y;
  // The table's first cell, counted from that one, and the cells in a row.
  int first_x;
  int first_y;
  int side;
};

CONSTANT int kTableMargin = 8;

// How far positions in the lattice are apart along an axis: those of all vertices of a window of `side` x `side`.
KERNEL int tableSpan(Lattice lattice, int side) {
  return 256 * (side - 1 + 2 * kTableMargin) * (abs(lattice.turn_x) + abs(lattice.turn_y));
}
// Cells in a row of the table. One more than places lie in, for their far corners.
KERNEL int tableSide(Lattice lattice, int side) { return (tableSpan(lattice, side) >> lattice.shift) + 3; }

// column, row: the window's north-west corner. A lattice cell has at most 2^20 units, so a window's fit into an int.
KERNEL NoiseTable noiseTable(Lattice lattice, int64_t column, int64_t row, int side) {
  Place corner = placeOnPlane(column, row);
  int64_t qx = corner.x * lattice.turn_x - corner.y * lattice.turn_y;
  int64_t qy = corner.x * lattice.turn_y + corner.y * lattice.turn_x;
  NoiseTable table;
  table.cell_x = floorShift(qx, lattice.shift);
  table.cell_y = floorShift(qy, lattice.shift);
  table.part_x = int(qx - (table.cell_x << lattice.shift));
  table.part_y = int(qy - (table.cell_y << lattice.shift));
  int low = -256 * kTableMargin;
  int high = 256 * (side - 1 + kTableMargin);
  int along = min(low * lattice.turn_x, high * lattice.turn_x);
  int across = min(low * lattice.turn_y, high * lattice.turn_y);
  int against = max(low * lattice.turn_y, high * lattice.turn_y);
  table.first_x = (table.part_x + along - against) >> lattice.shift;
  table.first_y = (table.part_y + along + across) >> lattice.shift;
  table.side = tableSide(lattice, side);
  return table;
}

// Number of turns of a lattice in space: three cyclic orders of the axes and eight combinations of signs,
// before a fixed turn that moves every axis off itself.
CONSTANT int kSpaceTurns = 24;

KERNEL Place turnedInSpace(Place p, int way) {
  int first = way % 3;
  int64_t a = first == 0 ? p.x : (first == 1 ? p.y : p.z);
  int64_t b = first == 0 ? p.y : (first == 1 ? p.z : p.x);
  int64_t c = first == 0 ? p.z : (first == 1 ? p.x : p.y);
  int signs = way / 3;
  a = (signs & 1) != 0 ? -a : a;
  b = (signs & 2) != 0 ? -b : b;
  c = (signs & 4) != 0 ? -c : c;
  // By 37 degrees about (0.36, 0.48, 0.8), in 1/1024.
  Place q;
  q.x = (a * 845 - b * 457 + c * 355) >> 10;
  q.y = (a * 529 + b * 865 - c * 143) >> 10;
  q.z = (c * 950 + b * 301 - a * 236) >> 10;
  return q;
}

// Where a place lies in a lattice of space: its cell, and its position in the cell, 0 to 1.
struct SpaceCell {
  int x;
  int y;
  int z;
  vec3 at;
};

KERNEL float partOfCell(int64_t q, int shift) {
  // 20 bits are exact in a float.
  int drop = max(shift - 20, 0);
  int64_t inside = q - ((q >> shift) << shift);
  return float(int(inside >> drop)) * uintBitsToFloat(uint(127 - min(shift, 20)) << 23);
}

// The lattice's cells are two of the level's or larger, so a planet's cells fit into an int.
KERNEL SpaceCell spaceCell(Place place, Lattice lattice) {
  Place q = turnedInSpace(place, lattice.turn_y);
  q.x *= lattice.turn_x;
  q.y *= lattice.turn_x;
  q.z *= lattice.turn_x;
  SpaceCell cell;
  cell.x = int(q.x >> lattice.shift);
  cell.y = int(q.y >> lattice.shift);
  cell.z = int(q.z >> lattice.shift);
  cell.at = vec3(partOfCell(q.x, lattice.shift), partOfCell(q.y, lattice.shift), partOfCell(q.z, lattice.shift));
  return cell;
}

// One of twelve directions in space, each along two axes (Perlin 2002): a pair of axes, 0 to 2, and the two signs, 0 to 3.
struct SpaceDirection {
  uint axes;
  uint signs;
};

// Three directions from one hash, `which` of 0 to 2; each uses its own bits.
KERNEL SpaceDirection spaceDirection(uint hash, int which) {
  SpaceDirection direction;
  direction.axes = (((hash >> (8 + 8 * which)) & 255u) * 3u) >> 8;
  direction.signs = (hash >> (2 * which)) & 3u;
  return direction;
}

KERNEL float directionDot(SpaceDirection direction, vec3 away) {
  float a = direction.axes == 2u ? away.y : away.x;
  float b = direction.axes == 0u ? away.y : away.z;
  return ((direction.signs & 1u) != 0u ? a : -a) + ((direction.signs & 2u) != 0u ? b : -b);
}

KERNEL vec3 spaceGradientDots(uint hash, vec3 away) {
  return vec3(directionDot(spaceDirection(hash, 0), away), directionDot(spaceDirection(hash, 1), away),
              directionDot(spaceDirection(hash, 2), away));
}

// The hashes of a cell's four columns of corners along z.
struct SpaceColumns {
  uint nw;
  uint ne;
  uint sw;
  uint se;
};

KERNEL SpaceColumns spaceColumns(SpaceCell cell, uint stream, uvec2 seed) {
  uint base = hashStream(seed, stream);
  uint west = pcg(base ^ uint(cell.x));
  uint east = pcg(base ^ uint(cell.x + 1));
  SpaceColumns columns;
  columns.nw = pcg(west ^ uint(cell.y));
  columns.ne = pcg(east ^ uint(cell.y));
  columns.sw = pcg(west ^ uint(cell.y + 1));
  columns.se = pcg(east ^ uint(cell.y + 1));
  return columns;
}

// The hash of a column's corner.
KERNEL uint spaceCorner(uint column, int z) { return pcg(column ^ uint(z)); }

// The noises along z between two corners of a cell, from the hash of their column.
KERNEL vec3 noisesOnColumn(uint column, SpaceCell cell, float east, float south, float w) {
  vec3 away = cell.at - vec3(east, south, 0.0f);
  vec3 low = spaceGradientDots(spaceCorner(column, cell.z), away);
  vec3 high = spaceGradientDots(spaceCorner(column, cell.z + 1), away - vec3(0.0f, 0.0f, 1.0f));
  return between(low, high, w);
}

// Three gradient noises in space, independent of each other: mean 0, about -1 to 1.
KERNEL vec3 spaceNoises(Place place, Lattice lattice, uvec2 seed) {
  SpaceCell cell = spaceCell(place, lattice);
  float u = fade(cell.at.x);
  float v = fade(cell.at.y);
  float w = fade(cell.at.z);
  SpaceColumns columns = spaceColumns(cell, lattice.stream, seed);
  vec3 nw = noisesOnColumn(columns.nw, cell, 0.0f, 0.0f, w);
  vec3 ne = noisesOnColumn(columns.ne, cell, 1.0f, 0.0f, w);
  vec3 sw = noisesOnColumn(columns.sw, cell, 0.0f, 1.0f, w);
  vec3 se = noisesOnColumn(columns.se, cell, 1.0f, 1.0f, w);
  return between(between(nw, ne, u), between(sw, se, u), v);
}

// The first of the three noises.
KERNEL float spaceNoise(Place place, Lattice lattice, uvec2 seed) { return spaceNoises(place, lattice, seed).x; }

KERNELS_END

#endif
