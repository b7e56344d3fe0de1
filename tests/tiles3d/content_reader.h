// A strict reader of a tile's content.
#pragma once

#include <google/protobuf/struct.pb.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "proto/geometry/cube_sphere.h"

namespace thalweg::tiles3d {

// The members of a JSON object. Fails the test if the text is not one.
google::protobuf::Struct ReadJson(const std::string& text);
// The value at a path in an object: names and, in lists, numbers, "root/children/2/content/uri".
google::protobuf::Value At(const google::protobuf::Struct& object, const std::string& path);
double NumberAt(const google::protobuf::Struct& object, const std::string& path);
std::string TextAt(const google::protobuf::Struct& object, const std::string& path);

struct ReadContent {
  google::protobuf::Struct json;
  // In metres from the planet's middle, with the axes of sphere::Vector.
  std::vector<sphere::Vector> positions;
  std::vector<sphere::Vector> normals;
  // From 0 to 1.
  std::vector<std::array<double, 2>> textures;
  std::vector<std::uint16_t> indices;
  std::string png;
  double step_m = 0;
};

ReadContent ReadGlb(const std::string& bytes);

}  // namespace thalweg::tiles3d
