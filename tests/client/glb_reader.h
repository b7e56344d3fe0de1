// Reads the binary glTF that bakes write, strictly.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace thalweg::client_test {

struct GlbMesh {
  std::string json;
  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<float, 3>> normals;
  std::vector<std::array<float, 2>> uvs;
  std::vector<std::uint32_t> indices;
  // The picture's bytes; empty if there is none.
  std::string png;
};

// The number after the n-th `"key":` of a text, counted from 0.
inline double NumberAfter(const std::string& json, const std::string& key, int n = 0) {
  std::size_t at = 0;
  for (int i = 0; i <= n; ++i) {
    at = json.find("\"" + key + "\":", at);
    if (at == std::string::npos) {
      ADD_FAILURE() << "no " << key << " in " << json.substr(0, 2000);
      return 0;
    }
    at += key.size() + 3;
  }
  return std::stod(json.substr(at, 40));
}

template <typename Value>
std::vector<Value> ValuesAt(const std::string& bytes, std::size_t from, std::size_t stride,
                            std::size_t count) {
  std::vector<Value> values(count);
  for (std::size_t i = 0; i < count && from + i * stride + sizeof(Value) <= bytes.size(); ++i) {
    std::memcpy(&values[i], bytes.data() + from + i * stride, sizeof(Value));
  }
  return values;
}

inline GlbMesh ReadGlb(const std::string& bytes) {
  GlbMesh mesh;
  const auto word = [&](std::size_t at) { return ValuesAt<std::uint32_t>(bytes, at, 4, 1)[0]; };
  EXPECT_GT(bytes.size(), 28U);
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(word(4), 2U);
  EXPECT_EQ(word(8), bytes.size());
  const std::size_t json_bytes = word(12);
  EXPECT_EQ(json_bytes % 4, 0U);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  mesh.json = bytes.substr(20, json_bytes);
  const std::size_t binary = 20 + json_bytes + 8;
  EXPECT_EQ(bytes.substr(binary - 4, 4), std::string("BIN\0", 4));
  EXPECT_EQ(word(binary - 8), bytes.size() - binary);
  // The accessors are positions, normals, places in the picture and indices, in this order.
  const auto vertices = static_cast<std::size_t>(NumberAfter(mesh.json, "count", 0));
  EXPECT_EQ(static_cast<std::size_t>(NumberAfter(mesh.json, "count", 1)), vertices);
  EXPECT_EQ(static_cast<std::size_t>(NumberAfter(mesh.json, "count", 2)), vertices);
  const auto indices = static_cast<std::size_t>(NumberAfter(mesh.json, "count", 3));
  const std::size_t mesh_bytes = vertices * 32 + indices * 4;
  const bool has_picture = mesh.json.find("\"images\":") != std::string::npos;
  // Where the view of the picture begins and ends; the chunk is filled up to a multiple of 4.
  const auto png_bytes =
      has_picture ? static_cast<std::size_t>(NumberAfter(mesh.json, "byteLength", 2)) : 0;
  EXPECT_EQ((mesh_bytes + png_bytes + 3) / 4 * 4, bytes.size() - binary);
  mesh.positions = ValuesAt<std::array<float, 3>>(bytes, binary, 32, vertices);
  mesh.normals = ValuesAt<std::array<float, 3>>(bytes, binary + 12, 32, vertices);
  mesh.uvs = ValuesAt<std::array<float, 2>>(bytes, binary + 24, 32, vertices);
  mesh.indices = ValuesAt<std::uint32_t>(bytes, binary + vertices * 32, 4, indices);
  mesh.png = bytes.substr(binary + mesh_bytes, png_bytes);
  return mesh;
}

}  // namespace thalweg::client_test
