// Meshes of planets: what a client accepts and what it gets.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/geographic/mesh_query.h"

namespace thalweg::http {

// The form in which a caller wants a quantized mesh: from the header Accept, the parameter
// `extensions`, or both.
inline constexpr char kMeshMediaType[] = "application/vnd.quantized-mesh";

// Whether a value of Accept allows a mesh. An empty one does. Else the media type decides if it is
// named; else application/octet-stream, application/* or */* with a weight above 0 allow it.
bool AcceptsMesh(std::string_view accept);

// The extensions that the caller asks for: names with hyphens between them, in a parameter of a
// media type in Accept ("application/vnd.quantized-mesh;extensions=octvertexnormals-watermask";
// also of another type, as 3d-tiles-renderer sends it) or in the URL's parameter, null if it has
// none. Unknown names are ignored, as the form's specification requires. INVALID_ARGUMENT if both
// are given and differ.
absl::StatusOr<geographic::MeshExtensions> ParseMeshExtensions(std::string_view accept,
                                                               const std::string* parameter);

}  // namespace thalweg::http
