// In which form a caller wants a quantized mesh: by the header Accept, the parameter `extensions`,
// or both.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/geographic/mesh_query.h"

namespace thalweg::http {

inline constexpr char kMeshMediaType[] = "application/vnd.quantized-mesh";

// Whether a value of Accept allows it: an empty one does, else the media type itself decides where
// it is named, else application/octet-stream, application/* or */* with a weight above 0 do.
bool AcceptsMesh(std::string_view accept);

// The extensions that are asked for, names with hyphens between them: by a media type's parameter
// in Accept ("application/vnd.quantized-mesh;extensions=octvertexnormals-watermask"; of another
// type too, as 3d-tiles-renderer has it) or by the parameter of the URL, null if it has none. Names
// that are not known are ignored, as the form's specification has it. INVALID_ARGUMENT if both are
// given and differ.
absl::StatusOr<geographic::MeshExtensions> ParseMeshExtensions(std::string_view accept,
                                                               const std::string* parameter);

}  // namespace thalweg::http
