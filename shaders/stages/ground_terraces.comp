// Steps steep soil into terracettes.
#include "bindings.glsl"

PARAMETERS(TerraceParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"
#include "ground_site.glsl"
#include "ground_change.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  GroundSite site = siteHere();
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  int change = heldChange(i, terraceAt(site, params, seed), params.planes);
  raiseGround(i, change, change, params.planes);
}
