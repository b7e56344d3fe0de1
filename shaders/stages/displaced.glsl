// Ground is displaced by noise. Included after ground_place.glsl by stages with RiversParams.

// At a place of a planet's window that is its vertex's owner.
ivec2 displacedInSpace(int slot, int column, int row) {
  Place place = placeOf(slot, column, row);
  int face = jobs[slot].face;
  ivec3 o = faceMiddle(face);
  ivec3 x = faceEast(face);
  ivec3 y = faceSouth(face);
  vec3 moved = vec3(displacedBy(noiseAt(place, streamOf(0u, params)), params),
                    displacedBy(noiseAt(place, streamOf(kStreamSouth, params)), params),
                    displacedBy(noiseAt(place, streamOf(kStreamUp, params)), params));
  vec2 on = onFace(frameOf(slot, column, row),
                   moved.x * float(o.x) + moved.y * float(o.y) + moved.z * float(o.z),
                   moved.x * float(x.x) + moved.y * float(x.y) + moved.z * float(x.z),
                   moved.x * float(y.x) + moved.y * float(y.y) + moved.z * float(y.z));
  return ivec2(heldDisplacement(on.x), heldDisplacement(on.y));
}

// In 1/256 of the parent's cell, at a place of the window.
ivec2 displacedAt(int column, int row) {
  if (!kOnSphere) {
    Place place = placeOf(slotHere(), column, row);
    return ivec2(heldDisplacement(displacedBy(noiseAt(place, streamOf(0u, params)), params)),
                 heldDisplacement(displacedBy(noiseAt(place, streamOf(kStreamSouth, params)), params)));
  }
  Owner owner = ownerOf(slotHere(), column, row);
  ivec2 moved = displacedInSpace(owner.slot, owner.column, owner.row);
  for (int turn = 0; turn < owner.turns; ++turn) moved = ivec2(moved.y, -moved.x);
  return moved;
}
