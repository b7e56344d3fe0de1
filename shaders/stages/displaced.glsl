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
  float moved_x = displacedBy(noises.x, params);
  float moved_y = displacedBy(noises.y, params);
  float moved_z = displacedBy(noises.z, params);
  int face = jobs[slot].face;
  ivec3 o = faceMiddle(face);
  ivec3 x = faceEast(face);
  ivec3 y = faceSouth(face);
  vec2 on = onFace(frameOf(slot, column, row),
                   moved_x * float(o.x) + moved_y * float(o.y) + moved_z * float(o.z),
                   moved_x * float(x.x) + moved_y * float(x.y) + moved_z * float(x.z),
                   moved_x * float(y.x) + moved_y * float(y.y) + moved_z * float(y.z));
  return ivec2(heldDisplacement(on.x), heldDisplacement(on.y));
}
