// Where an invocation stands: a vertex of its block's window. Included after PARAMETERS.
bool outsidePass() { return int(gl_GlobalInvocationID.x) >= pass.width; }
int slotHere() { return int(gl_GlobalInvocationID.z); }
int columnHere() { return pass.x + int(gl_GlobalInvocationID.x); }
int rowHere() { return pass.y + int(gl_GlobalInvocationID.y); }
// The vertex's place in a plane of the state.
int vertexHere() {
  return slotHere() * pass.stride * pass.stride + rowHere() * pass.stride + columnHere();
}
// A window's column and row in the infinite field.
int64_t globalColumnOf(int column) {
  Job job = jobs[slotHere()];
  return int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + column;
}
int64_t globalRowOf(int row) {
  Job job = jobs[slotHere()];
  return int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + row;
}
// The vertex's own.
int64_t globalColumn() { return globalColumnOf(columnHere()); }
int64_t globalRow() { return globalRowOf(rowHere()); }
// A random number of the vertex and of a stream.
uint vertexHash(uint stream) {
  return hashPoint(uvec2(pass.seed_low, pass.seed_high), stream, globalColumn(), globalRow());
}
// The plane that is not the current heights'.
int backPlane() { return pass.plane - pass.front; }
// The place in a plane of `layers`.
int inLayer(int layer_plane, int i) { return layer_plane * pass.plane + i; }
