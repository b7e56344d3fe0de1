#include "tests/tiles3d/content_reader.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/message_text.h"

namespace thalweg::tiles3d {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

template <typename T>
T ReadAt(const std::string& bytes, std::size_t at) {
  T value{};
  EXPECT_LE(at + sizeof(T), bytes.size());
  if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// Where the elements of an accessor are.
struct Layout {
  std::size_t begin = 0;
  std::size_t stride = 0;
  std::size_t count = 0;
};

Layout LayoutOf(const Struct& json, int accessor, int component, std::size_t packed_bytes) {
  const std::string of = absl::StrCat("accessors/", accessor);
  EXPECT_EQ(NumberAt(json, of + "/componentType"), component);
  const std::string view = absl::StrCat("bufferViews/", NumberAt(json, of + "/bufferView"));
  const auto number_or = [&](const std::string& object, const std::string& name,
                             std::size_t otherwise) {
    const bool there = At(json, object).struct_value().fields().contains(name);
    return there ? static_cast<std::size_t>(NumberAt(json, object + "/" + name)) : otherwise;
  };
  return {number_or(view, "byteOffset", 0) + number_or(of, "byteOffset", 0),
          number_or(view, "byteStride", packed_bytes),
          static_cast<std::size_t>(NumberAt(json, of + "/count"))};
}

// Turns a point from the axes of glTF to ours.
sphere::Vector Turned(double x, double y, double z) { return {x, -z, y}; }

}  // namespace

Struct ReadJson(const std::string& text) {
  Struct object;
  const absl::Status status = text::FromJson(text, object);
  EXPECT_TRUE(status.ok()) << status << text.substr(0, 1'000);
  return object;
}

Value At(const Struct& object, const std::string& path) {
  Value value;
  *value.mutable_struct_value() = object;
  for (const absl::string_view name : absl::StrSplit(path, '/')) {
    Value next;
    if (value.has_list_value()) {
      const int n = std::stoi(std::string(name));
      EXPECT_LT(n, value.list_value().values_size()) << path;
      if (n < value.list_value().values_size()) next = value.list_value().values(n);
    } else {
      const auto found = value.struct_value().fields().find(std::string(name));
      EXPECT_NE(found, value.struct_value().fields().end()) << path;
      if (found != value.struct_value().fields().end()) next = found->second;
    }
    value = next;
  }
  return value;
}

double NumberAt(const Struct& object, const std::string& path) {
  const Value value = At(object, path);
  EXPECT_TRUE(value.has_number_value()) << path;
  return value.number_value();
}

std::string TextAt(const Struct& object, const std::string& path) {
  const Value value = At(object, path);
  EXPECT_TRUE(value.has_string_value()) << path;
  return value.string_value();
}

ReadContent ReadGlb(const std::string& bytes) {
  ReadContent content;
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(ReadAt<std::uint32_t>(bytes, 4), 2U);
  EXPECT_EQ(ReadAt<std::uint32_t>(bytes, 8), bytes.size());
  const std::size_t json_bytes = ReadAt<std::uint32_t>(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  content.json = ReadJson(bytes.substr(20, json_bytes));
  const std::size_t binary_at = 20 + json_bytes + 8;
  EXPECT_EQ(bytes.substr(binary_at - 4, 4), std::string("BIN\0", 4));
  const std::string binary = bytes.substr(binary_at);
  EXPECT_EQ(ReadAt<std::uint32_t>(bytes, binary_at - 8), binary.size());
  EXPECT_EQ(binary.size() % 4, 0U);

  constexpr int kByte = 5120;
  constexpr int kShort = 5122;
  constexpr int kUint16 = 5123;
  content.step_m = NumberAt(content.json, "nodes/0/scale/0");
  std::array<double, 3> origin{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    origin[axis] = NumberAt(content.json, absl::StrCat("nodes/0/translation/", axis));
    EXPECT_EQ(NumberAt(content.json, absl::StrCat("nodes/0/scale/", axis)), content.step_m);
  }
  const auto moved = [&](std::size_t axis, std::int16_t steps) {
    return origin[axis] + steps * content.step_m;
  };
  const Layout positions = LayoutOf(content.json, 0, kShort, 6);
  for (std::size_t n = 0; n < positions.count; ++n) {
    const auto at =
        ReadAt<std::array<std::int16_t, 3>>(binary, positions.begin + n * positions.stride);
    content.positions.push_back(Turned(moved(0, at[0]), moved(1, at[1]), moved(2, at[2])));
  }
  const Layout normals = LayoutOf(content.json, 1, kByte, 3);
  for (std::size_t n = 0; n < normals.count; ++n) {
    const auto at = ReadAt<std::array<std::int8_t, 3>>(binary, normals.begin + n * normals.stride);
    content.normals.push_back(Turned(at[0] / 127.0, at[1] / 127.0, at[2] / 127.0));
  }
  const Layout textures = LayoutOf(content.json, 2, kUint16, 4);
  for (std::size_t n = 0; n < textures.count; ++n) {
    const auto at =
        ReadAt<std::array<std::uint16_t, 2>>(binary, textures.begin + n * textures.stride);
    content.textures.push_back({at[0] / 65'535.0, at[1] / 65'535.0});
  }
  const Layout indices = LayoutOf(content.json, 3, kUint16, 2);
  for (std::size_t n = 0; n < indices.count; ++n) {
    content.indices.push_back(ReadAt<std::uint16_t>(binary, indices.begin + n * indices.stride));
  }
  content.png =
      binary.substr(static_cast<std::size_t>(NumberAt(content.json, "bufferViews/2/byteOffset")),
                    static_cast<std::size_t>(NumberAt(content.json, "bufferViews/2/byteLength")));
  return content;
}

}  // namespace thalweg::tiles3d
