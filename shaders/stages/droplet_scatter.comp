// Every droplet takes its share of the last step's settlement, moves, and adds its momentum and
// sediment to the corners that it reached. pass.argument: water that is left, of 65,536; pass.before:
// what was left a step before.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "droplet_state.glsl"

void main() {
  if (int(gl_GlobalInvocationID.x) >= pass.width) return;
  int x = pass.x + int(gl_GlobalInvocationID.x);
  int y = pass.y + int(gl_GlobalInvocationID.y);
  int first = int(gl_GlobalInvocationID.z) * pass.window;
  int i = first + y * pass.stride + x;
  Droplet droplet = loadDroplet(i);
  if (droplet.position.x == kDeadPosition) return;

  int cell = i + (droplet.position.y >> 8) * pass.stride + (droplet.position.x >> 8);
  uint load = droplet.load + settledShare(droplet, cell, uint(pass.before));
  ivec4 corners = ivec4(height[pass.front + cell], height[pass.front + cell + 1],
                        height[pass.front + cell + pass.stride],
                        height[pass.front + cell + pass.stride + 1]);
  droplet = movedDroplet(droplet, corners, params);
  droplet.load = load;

  // Whoever leaves the window is too far from the result to matter: the halo is wide enough.
  int cell_x = x + (droplet.position.x >> 8);
  int cell_y = y + (droplet.position.y >> 8);
  if (cell_x < 0 || cell_y < 0 || cell_x > pass.stride - 2 || cell_y > pass.stride - 2) {
    droplets[i] = packedPair(ivec2(kDeadPosition, 0));
    return;
  }
  storeDroplet(i, droplet);
  int o = first + cell_y * pass.stride + cell_x;
  uint kept = uint(pass.argument);
  ivec4 w = cornerWeights(droplet.position);
  ADD_SUMS(o, momentumShare(droplet, kept, w.x), loadShare(droplet, w.x));
  ADD_SUMS(o + 1, momentumShare(droplet, kept, w.y), loadShare(droplet, w.y));
  ADD_SUMS(o + pass.stride, momentumShare(droplet, kept, w.z), loadShare(droplet, w.z));
  ADD_SUMS(o + pass.stride + 1, momentumShare(droplet, kept, w.w), loadShare(droplet, w.w));
}
