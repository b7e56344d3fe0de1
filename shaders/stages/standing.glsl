// The position of an invocation: a vertex of its block's window. Included after PARAMETERS.
#ifndef __cplusplus
// Kernels of tiles have workgroups of another size.
#ifndef TILED
layout(local_size_x = 64) in;
#endif
#endif
#include "owner.glsl"

bool beyondRow() { return int(gl_GlobalInvocationID.x) >= pass.width; }
int slotHere() { return int(gl_GlobalInvocationID.z); }
int columnHere() { return pass.x + int(gl_GlobalInvocationID.x); }
int rowHere() { return pass.y + int(gl_GlobalInvocationID.y); }
// Whether there is nothing to do: no vertex of the pass, or a vertex that another window owns.
bool outsidePass() { return beyondRow() || !isOwner(slotHere(), columnHere(), rowHere()); }
// The index of a window's vertex in a plane of the state.
int placeIn(int slot, int column, int row) {
  return slot * pass.stride * pass.stride + row * pass.stride + column;
}
int vertexHere() { return placeIn(slotHere(), columnHere(), rowHere()); }
// The index of a vertex's owner; and of a neighbour's owner.
int ownedPlace(int column, int row) {
  Owner owner = ownerOf(slotHere(), column, row);
  return placeIn(owner.slot, owner.column, owner.row);
}
int ownedNeighbour(int direction) {
  ivec2 to = neighbour(direction);
  if (OWNS_NEIGHBOURS) return placeIn(slotHere(), columnHere() + to.x, rowHere() + to.y);
  return ownedPlace(columnHere() + to.x, rowHere() + to.y);
}
// The same for ways that are followed from vertex to vertex. Beyond an edge a way may come to a vertex that its owner's
// window does not compute (outside pass.live_first to pass.live_last): it is not followed there, and ends here.
int followedNeighbour(int direction) {
  if (!kOnSphere) return ownedNeighbour(direction);
  ivec2 to = neighbour(direction);
  Owner owner;
  owner.slot = slotHere();
  owner.column = columnHere() + to.x;
  owner.row = rowHere() + to.y;
  if (!OWNS_NEIGHBOURS) owner = ownerOf(owner.slot, owner.column, owner.row);
  bool leaves = min(owner.column, owner.row) < pass.live_first || max(owner.column, owner.row) > pass.live_last;
  return leaves ? vertexHere() : placeIn(owner.slot, owner.column, owner.row);
}
// Whether this vertex is the north-western one of a cell of its face. On a plane every vertex is.
bool hasCell() {
  if (!kOnSphere) return true;
  Job job = jobs[slotHere()];
  return columnHere() >= job.west_edge && columnHere() < job.east_edge && rowHere() >= job.north_edge &&
         rowHere() < job.south_edge;
}
// The column and row of a window's vertex in the infinite field, or on its face.
int64_t globalColumnIn(int slot, int column) {
  Job job = jobs[slot];
  return int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + column;
}
int64_t globalRowIn(int slot, int row) {
  Job job = jobs[slot];
  return int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + row;
}
int64_t globalColumnOf(int column) { return globalColumnIn(slotHere(), column); }
int64_t globalRowOf(int row) { return globalRowIn(slotHere(), row); }
// The column and row of this invocation's vertex.
int64_t globalColumn() { return globalColumnOf(columnHere()); }
int64_t globalRow() { return globalRowOf(rowHere()); }
// A random number for a vertex and a stream.
uint hashOf(uint stream, int64_t column, int64_t row) {
  // Each face has its own numbers.
  uint face = uint(jobs[slotHere()].face) << 28;
  return hashPoint(uvec2(pass.seed_low, pass.seed_high), stream ^ face, column, row);
}
uint vertexHash(uint stream) { return hashOf(stream, globalColumn(), globalRow()); }
// The offset of the plane of heights that is not the current one.
int backPlane() { return pass.plane - pass.front; }
// The index in `layers` of a vertex of a plane.
int inLayer(int layer_plane, int i) { return layer_plane * pass.plane + i; }
