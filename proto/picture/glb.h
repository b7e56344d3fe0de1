// The binary container of glTF 2.0 (Khronos, "glTF 2.0 Specification", 4.4).
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace thalweg::gltf {

// Constants of the specification: component types and buffer targets.
inline constexpr int kByte = 5120;
inline constexpr int kShort = 5122;
inline constexpr int kUint16 = 5123;
inline constexpr int kUint32 = 5125;
inline constexpr int kFloat = 5126;
inline constexpr int kVertices = 34'962;
inline constexpr int kIndices = 34'963;

// Returns a view of buffer 0. A stride or target of 0 is left out.
nlohmann::ordered_json BufferView(std::size_t offset, std::size_t bytes, std::size_t stride,
                                  int target);

// Returns a file with one JSON chunk, the document, and one binary chunk, which is buffer 0.
std::string Glb(nlohmann::ordered_json document, std::string binary);

}  // namespace thalweg::gltf
