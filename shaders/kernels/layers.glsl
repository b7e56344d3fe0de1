// The numbers of a block's layers, and of the planes that hold them during computation.
#ifndef THALWEG_KERNELS_LAYERS
#define THALWEG_KERNELS_LAYERS

#include "language.glsl"

KERNELS_BEGIN

// kLayerHeight and the others: a layer's bit in a set, and its index among the planes of a block.
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) CONSTANT int kLayer##Name = number;
#include "layers.inc"
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) +1
CONSTANT int kLayerCount = 0
#include "layers.inc"
    ;

KERNEL bool hasLayer(int set, int layer) { return (set & (1 << layer)) != 0; }
// The same as a number, 0 or 1, to compute with where a branch would keep a compiler from vectors.
KERNEL int layerBit(int set, int layer) { return (set >> layer) & 1; }
// The largest int if `has` is 1, and `other` if it is 0: a bound of values that exist, or else the value itself.
KERNEL int highestOr(int has, int other) { return int(uint(other) + uint(has) * (0x7fffffffu - uint(other))); }

// The planes of the window's `layers`. Bedrock: the height of the top of hard ground; ground above it
// is soft. Water: the height of the surface of standing water; kDry where it is dry, so that the ground
// there may rise and sink and stay dry. Way: see packedRiver.
#define THALWEG_PLANE(number, Name) CONSTANT int kPlane##Name = number;
#include "layers.inc"
#define THALWEG_PLANE(number, Name) +1
CONSTANT int kLayerPlanes = 0
#include "layers.inc"
    ;

// The flow of one cell's rain, in flow units.
CONSTANT int kCellRain = 256;

// The shore where none was found within the radius: both offsets are -32,768.
CONSTANT int kNoShore = -2147450880;

// The water's height where it is dry.
CONSTANT int kDry = -2147483647;

// Shallower water than this, a millimetre, counts as dry.
CONSTANT int kFilm = 64;

// Whether water of this level stands over this ground, deeper than a film.
KERNEL bool underWater(int level, int ground) { return level > ground && level - kFilm > ground; }

// The level of standing water over this ground, or kDry.
KERNEL int standingLevel(int level, int ground) { return underWater(level, ground) ? level : kDry; }

KERNELS_END

#endif
