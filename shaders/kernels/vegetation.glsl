// Plants that spawn, spread to their neighbours, and die where they can't live (after McDonald
// 2020, SimpleHydrology). A density is 0 to 65,536.
#ifndef THALWEG_KERNELS_VEGETATION
#define THALWEG_KERNELS_VEGETATION

#include "exact.glsl"
#include "hash.glsl"
#include "layers.glsl"

KERNELS_BEGIN

CONSTANT uint kPlantStream = 0xc0000000u;
CONSTANT int kDensest = 65536;
// The density that a new plant has.
CONSTANT int kSeedling = 8192;

struct VegetationParams {
  float inverse_cell;
  float spawn_slope2;  // squares of slopes
  float death_slope2;
  int spawn_flow;  // flow units
  int death_flow;
  uint spawn_chance;  // in 1/2^24
  uint death_chance;
  float spread;
  float growth;        // in 1/65,536, because it is multiplied by a density
  int tree_line;       // height units, where plants begin to thin out
  float inverse_band;  // 1 / the band in which they thin out, in height units; 0: no tree line
  uint stream;
  int sea_level;
  int planes;
};

// What can live at a vertex: the max density of plants, 0 to 65,536, and whether plants spawn.
struct Habitat {
  int most;
  bool fertile;
};

KERNEL Habitat habitatOf(int ground, float slope2, int flow, bool wet, VegetationParams params) {
  Habitat habitat;
  bool dies = wet || slope2 > params.death_slope2 || flow > params.death_flow;
  float above = max(differenceOf(ground, params.tree_line), 0.0f) * params.inverse_band;
  habitat.most = dies ? 0 : int((1.0f - min(above, 1.0f)) * float(kDensest));
  habitat.fertile = slope2 <= params.spawn_slope2 && flow <= params.spawn_flow;
  return habitat;
}

// The stream of an iteration's random numbers.
KERNEL uint plantStream(int iteration, VegetationParams params) {
  return kPlantStream + params.stream * 32u + uint(iteration);
}

// A vertex's density after an iteration. chance: a hash. densest, sum: of the eight neighbours.
KERNEL int grown(int density, Habitat habitat, int densest, int sum, uint chance,
                 VegetationParams params) {
  if ((chance >> 8) < params.death_chance) return 0;
  float here = float(density);
  float target = 0.5f * (float(densest) + float(sum) * 0.125f);
  float next = here + params.spread * max(target - here, 0.0f) +
               params.growth * here * (float(kDensest) - here);
  int plants = int(next);
  uint other = (chance * 0x9e3779b1u) >> 8;
  if (habitat.fertile && other < params.spawn_chance) plants = max(plants, kSeedling);
  return min(plants, habitat.most);
}

KERNELS_END

#endif
