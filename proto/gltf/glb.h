// The binary container of glTF 2.0 (Khronos, "glTF 2.0 Specification", 4.4).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg::gltf {

// Constants of the specification: types of components, targets of buffers.
inline constexpr int kByte = 5120;
inline constexpr int kShort = 5122;
inline constexpr int kUint16 = 5123;
inline constexpr int kUint32 = 5125;
inline constexpr int kFloat = 5126;
inline constexpr int kVertices = 34'962;
inline constexpr int kIndices = 34'963;

// The JSON of a view of buffer 0. No stride and no target if they are 0.
std::string BufferView(std::size_t offset, std::size_t bytes, std::size_t stride, int target);

// The bytes of a file with one JSON chunk and one binary chunk, its buffer 0.
std::string Glb(std::string json, std::string binary);

}  // namespace thalweg::gltf
