// Droplets that take account of water (after McDonald 2020, SimpleHydrology). On a stream they lose
// less to friction and evaporation. In standing water they drop their sediment and follow the
// surface to the outlet. Plants hold the ground under them. They move and share as the droplets of
// droplet.glsl do, but each keeps its own count of water.
#ifndef THALWEG_KERNELS_HYDROLOGY
#define THALWEG_KERNELS_HYDROLOGY

#include "droplet.glsl"
#include "layers.glsl"

KERNELS_BEGIN

struct HydrologyMoveParams {
  float inverse_cell;
  float inertia;
  float pull;  // 1 - inertia
  float gravity;
  float friction;
  float evaporation;
  float stream_friction;  // part by which each is lower in the strongest stream
  float stream_evaporation;
  float inverse_stream_scale;  // 1 / the flow, in flow units, at half the strength
  int sea_level;
  int planes;  // as in BaseParams
};

struct HydrologySettleParams {
  DropletBed bed;
  float settling;    // part of the load that is laid down in a step under water
  float plant_hold;  // for a density of 1 in 1/65,536
  int drain_loss;    // grains of a parcel that stay in a lake at its outlet
  int sea_level;
  int planes;
};

// How strongly standing water pulls to its outlet: this slope for a fall of a height unit a cell.
CONSTANT float kSurfacePull = 0.25f;

// How strong a stream is: 0 without flow, 1/2 at the scale, almost 1 with much flow.
KERNEL float streamStrength(int flow, HydrologyMoveParams params) {
  return 1.0f - reciprocal(1.0f + float(max(flow, 0)) * params.inverse_stream_scale);
}

// The rise under a droplet of the surface of ground and water. corners: that surface at its cell's corners, x fastest.
// wet: whether water stands at the nearest corner.
KERNEL vec2 surfaceRise(Droplet droplet, ivec4 corners, bool wet, HydrologyMoveParams params) {
  ivec4 rises = ivec4(0, heldDifference(corners.y, corners.x), heldDifference(corners.z, corners.x),
                      heldDifference(corners.w, corners.x));
  return riseUnder(droplet, rises, wet ? kSurfacePull : params.inverse_cell);
}

// Moves a droplet by at most one cell over that surface. rise, steepest: see movedDroplet. stream: see streamStrength.
KERNEL Droplet streamedDroplet(Droplet droplet, vec2 rise, vec2 steepest, bool wet, float stream,
                               HydrologyMoveParams params) {
  DropletMotion motion;
  motion.inertia = params.inertia;
  motion.pull = params.pull;
  motion.kept_energy = 1.0f - params.friction * (1.0f - params.stream_friction * stream);
  motion.gravity = params.gravity;
  Droplet moved = movedDroplet(droplet, rise, steepest, motion);
  // Standing water slows a droplet.
  if (wet) moved.speed = min(droplet.speed, 4096u);
  float lost = params.evaporation * (1.0f - params.stream_evaporation * stream);
  moved.water = droplet.water - ((droplet.water * uint(int(lost * 65536.0f))) >> 16);
  return moved;
}

// What a vertex takes under water: nothing is dug, and sediment settles up to the surface. At an
// outlet a part must stay in the lake; what finds no room is `washed` away.
struct WetSettlement {
  Settlement settlement;
  int washed;  // height units
};

KERNEL WetSettlement settleUnderWater(int height, uint fraction, int level, bool outlet,
                                      uint parcels, HydrologySettleParams params) {
  WetSettlement wet;
  wet.settlement = settlementOf(height, fraction, 0, 0, params.bed.grain_bits);
  wet.washed = 0;
  if (parcels == 0u) return wet;
  float room = differenceOf(level, height) * params.bed.inverse_cell * params.bed.limit;
  float laid = min(float(parcels) * params.bed.cells_per_parcel * params.settling, room);
  float grains = min(laid * params.bed.grains_per_cell, 268435456.0f);
  float per_grain = reciprocal(float(parcels));
  int kept = min(int(grains * per_grain), 1 << kGrainsPerParcelBits);
  int held = outlet ? min(params.drain_loss, int(268435456.0f * per_grain)) : 0;
  int surplus = max(held - kept, 0) * int(parcels);
  wet.washed = surplus >> params.bed.grain_bits;
  int rest = surplus & ((1 << params.bed.grain_bits) - 1);
  wet.settlement = settlementOf(height, fraction, kept * int(parcels) + rest, -max(kept, held),
                                params.bed.grain_bits);
  return wet;
}

// The bed of dry ground. vegetation: density of plants, in 1/65,536. sill: whether the ground holds
// a lake; then it is not dug.
KERNEL DropletBed heldBed(int vegetation, bool sill, HydrologySettleParams params) {
  DropletBed bed = params.bed;
  bed.erosion = sill ? 0.0f : bed.erosion * (1.0f - params.plant_hold * float(vegetation));
  return bed;
}

KERNELS_END

#endif
