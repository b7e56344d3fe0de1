// Raises ridges that lie one behind the other: dunes or striae. Dunes are loose ground.
#include "bindings.glsl"

PARAMETERS(TrainParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"
#include "ground_place.glsl"
#include "ground_site.glsl"
#include "ground_change.glsl"

void main() {
  if (outsidePass()) return;
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  addForm(trainAt(siteHere(), params, seed), params.on_rock, params.planes);
}
