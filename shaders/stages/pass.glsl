// The parameters of a dispatch: structs of 32-bit scalars only, which have the same layout in GLSL's
// std430 and in C++.
#ifndef THALWEG_STAGES_PASS
#define THALWEG_STAGES_PASS

#include "../kernels/base.glsl"
#include "../kernels/blur.glsl"
#include "../kernels/collision.glsl"
#include "../kernels/droplet.glsl"
#include "../kernels/course.glsl"
#include "../kernels/ground_forms.glsl"
#include "../kernels/fluvial.glsl"
#include "../kernels/ground.glsl"
#include "../kernels/height_curve.glsl"
#include "../kernels/hydrology.glsl"
#include "../kernels/layers.glsl"
#include "../kernels/pools.glsl"
#include "../kernels/raindrop.glsl"
#include "../kernels/rebound.glsl"
#include "../kernels/rivers.glsl"
#include "../kernels/shore.glsl"
#include "../kernels/snowball.glsl"
#include "../kernels/sphere.glsl"
#include "../kernels/thermal.glsl"
#include "../kernels/upsample.glsl"
#include "../kernels/vegetation.glsl"

KERNELS_BEGIN

// What lies beyond a side of a planet's face: another window of the same block, and how its columns and rows
// follow from those of this window. A quarter turn makes (column, row) to (-row, column).
struct Seam {
  int window;  // distance from this window; 0: none, because no vertex of this window lies there
  int turns;
  int column;  // added to a turned position
  int row;
};

// One window of a dispatch: a block of a plane, or the part of a planet's block on one face.
struct Job {
  // The global vertex of the window's north-west corner, as two's complement halves.
  uint x_low;
  uint x_high;
  uint y_low;
  uint y_high;
  // The position in the parent's plane of the parent vertex at or before that corner.
  int parent_x;
  int parent_y;
  int face;
  // log2 of the cells on a side of a planet's face; 0: a plane.
  int face_bits;
  // The columns and rows of the window at which the face ends; kNoEdge if they are far away.
  int east_edge;
  int south_edge;
  int west_edge;
  int north_edge;
  // The last columns and rows, to each side, whose vertices this window owns.
  int east_owned;
  int south_owned;
  int west_owned;
  int north_owned;
  Seam east;
  Seam south;
  Seam west;
  Seam north;
};

// Farther than any window is wide.
CONSTANT int kNoEdge = 1 << 20;

// The sea level of a world without sea.
CONSTANT int kNoSea = -2147483647;

// The window vertices that a dispatch covers, and how the state is laid out: plane after plane,
// block after block, row-major.
struct Pass {
  int x;
  int y;
  int width;
  int stride;      // vertices in a row of the window
  int front;       // offset of the current plane of heights; the other one is at plane - front
  int argument;    // see the kernel's file
  int before;      // usually `argument` of the step before; see the kernel's file
  int live_first;  // range of the cells, in both axes, where a mover still matters
  int live_last;
  int plane;  // vertices in a plane: window times blocks
  uint seed_low;
  uint seed_high;
};

// A tile, of which an invocation has kTileStrip vertices of a column; and the size of an array of its values: less than
// 16 KiB, which every device has (Vulkan 1.3, "Required Limits"). See tile.glsl.
CONSTANT int kTileWidth = 64;
CONSTANT int kTileStrip = 7;
CONSTANT int kTileStrips = 8;
CONSTANT int kTileHeight = kTileStrips * kTileStrip;
CONSTANT int kTileShared = (kTileHeight + 2) * kTileWidth + 2;
// More sweeps over a tile would compute too much of the ring.
CONSTANT int kMaxTileSweeps = 5;

struct BaseParams {
  int instructions;
  int planes;  // the layers, as bits, that have a plane in this world
};

struct NoiseTableParams {
  Lattice lattice;
};

struct UpsampleParams {
  DetailParams detail;
  Lattice lattice;
  int parent_side;
  int parent_size;  // values in a block of the parent buffer
  int planes;       // as in BaseParams
};

// Planes of a block's real land: heights, rivers and weights.
CONSTANT int kElevationPlanes = 3;
// From this weight on, in 1/65,536, rivers come from real land.
CONSTANT int kElevationHalf = 32768;

// Values that are copied to positions beyond a planet's edges.
CONSTANT int kSeamHeight = 1;
CONSTANT int kSeamFlow = 2;
CONSTANT int kSeamDischarge = 4;
CONSTANT int kSeamWay = 8;
CONSTANT int kSeamSlide = 16;
CONSTANT int kSeamMovers = 32;  // plane 0
CONSTANT int kSeamOtherMovers = 64;
CONSTANT int kSeamRiver = 128;
CONSTANT int kSeamRate = 256;  // copied unchanged: not a direction
// The other values of a finished block.
CONSTANT int kSeamResult = 512;
CONSTANT int kSeamWater = 1024;
CONSTANT int kSeamDrainage = 2048;  // packedWay of fluvial.glsl

// West, east, north, south.
CONSTANT int kSeamSides = 4;

struct SeamsParams {
  int planes;  // as in BaseParams
};

struct ElevationParams {
  int planes;  // as in BaseParams
};

struct ExportParams {
  int margin;       // window vertices before the result's first
  int side;         // vertices in a row of the result
  int apron;        // result vertices before the core's first
  int core;         // cells in a row of the core
  int tile_bits;    // a tile has 2^tile_bits cells in a row
  int result_size;  // values in a block of the result buffer
  int layers;       // layers of the result, as bits
  int planes;       // as in BaseParams
  int sea_level;
  int deviation_at;  // offset of the tiles' deviations in the result
  int parent_side;   // 0: there is no parent
  int parent_size;
  int first_piece;  // of the height curve, in the program
  int pieces;       // 0: there is no curve
  int keeps_shown;  // 1: the result has shown heights of ground and water
};

KERNELS_END

#endif
