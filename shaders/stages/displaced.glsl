// How noise displaces ground. Included after ground_place.glsl and noise_table.glsl by stages with RiversParams.

// The displacement on a plane, in 1/256 of the parent's cell.
ivec2 displacedOnPlane(int column, int row) {
  NoiseTable table = tableOf(slotHere(), params.lattice);
  float east = tabledNoise(table, params.lattice, 0, slotHere(), column, row);
  float south = tabledNoise(table, params.lattice, int(kStreamSouth), slotHere(), column, row);
  return ivec2(heldDisplacement(displacedBy(east, params)), heldDisplacement(displacedBy(south, params)));
}

// The same on a planet. The position must be the owner of its vertex.
ivec2 displacedInSpace(int slot, int column, int row) {
  vec3 noises = spaceNoises(placeOf(slot, column, row), params.lattice, uvec2(pass.seed_low, pass.seed_high));
  vec2 on = spaceOnFace(slot, column, row,
                        vec3(displacedBy(noises.x, params), displacedBy(noises.y, params), displacedBy(noises.z, params)));
  return ivec2(heldDisplacement(on.x), heldDisplacement(on.y));
}
