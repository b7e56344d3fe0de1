// Every vertex settles what it gives or takes, and counts the water that passed it. Nothing is dug
// under water or around lakes, so that lakes keep their level.
#include "bindings.glsl"

PARAMETERS(HydrologySettleParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "water.glsl"

DropletBed bedHere(int plants, bool sill) {
  DropletBed bed = heldBed(plants, sill, params);
  return kOnSphere ? onCells(bed, frameHere()) : bed;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int here = height[pass.front + i];
  int level = waterAt(i);
  bool wet = underWater(level, here);
  bool lakes = hasLayer(params.planes, kLayerWater);
  bool sill = false;
  bool outlet = false;
  int lowest = here;
  int highest = here;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int j = i + to.y * pass.stride + to.x;
    int there = height[pass.front + j];
    lowest = min(lowest, there);
    highest = max(highest, there);
    if (!lakes) continue;
    bool drowned = underWater(waterAt(j), there);
    sill = sill || (drowned && waterAt(j) > params.sea_level);
    outlet = outlet || (!drowned && there < level);
  }
  uint64_t both = LOAD_SUMS(i);
  uint momentum = uint(both);
  uint parcels = uint(both >> 32);
  Settlement settlement;
  if (wet) {
    WetSettlement under = settleUnderWater(here, fraction[i], level, outlet, parcels, params);
    layers[inLayer(kPlaneWashLoad, i)] += under.washed;
    settlement = under.settlement;
  } else {
    int plants =
        hasLayer(params.planes, kLayerVegetation) ? layers[inLayer(kPlaneVegetation, i)] : 0;
    settlement = settle(here, fraction[i], here - heldDifference(here, lowest),
                        here + heldDifference(highest, here), momentum, parcels,
                        bedHere(plants, sill));
  }
  height[backPlane() + i] = settlement.height;
  fraction[i] = settlement.fraction;
  rate[i] = settlement.rate;
  discharge[i] += momentum >> 3;
  CLEAR_SUMS(i);
}
