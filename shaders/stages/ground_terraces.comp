// Steps steep soil into terracettes.
#include "bindings.glsl"

PARAMETERS(TerraceParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"
#include "ground_place.glsl"
#include "ground_site.glsl"
#include "ground_change.glsl"

void main() {
  if (outsidePass()) return;
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  addForm(terraceAt(siteHere(), params, seed), 1, params.planes);
}
