// Where an invocation stands: a vertex of its block's window. Included after PARAMETERS.
bool outsidePass() { return int(gl_GlobalInvocationID.x) >= pass.width; }
int slotHere() { return int(gl_GlobalInvocationID.z); }
int columnHere() { return pass.x + int(gl_GlobalInvocationID.x); }
int rowHere() { return pass.y + int(gl_GlobalInvocationID.y); }
// The vertex's place in a plane of the state.
int vertexHere() { return slotHere() * pass.window + rowHere() * pass.stride + columnHere(); }
