#include "tests/geographic/decode_mesh.h"

#include <gtest/gtest.h>

#include <cstring>

namespace thalweg::geographic {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  T Next() {
    T value{};
    if (bytes_.size() - at_ < sizeof(T)) {
      ADD_FAILURE() << "the mesh ends at byte " << bytes_.size();
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  sphere::Vector NextPoint() {
    const auto x = Next<double>();
    const auto y = Next<double>();
    return {x, y, Next<double>()};
  }

  std::uint32_t NextIndex(bool wide) {
    return wide ? Next<std::uint32_t>() : Next<std::uint16_t>();
  }

  std::string NextText(std::size_t size) {
    std::string text = bytes_.substr(at_, size);
    EXPECT_EQ(text.size(), size);
    at_ += text.size();
    return text;
  }

  void Align(std::size_t to) { at_ = (at_ + to - 1) / to * to; }
  bool IsAtEnd() const { return at_ >= bytes_.size(); }
  std::size_t at() const { return at_; }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::vector<int> NextCoordinates(Reader& in, std::size_t count) {
  std::vector<int> values;
  int value = 0;
  for (std::size_t n = 0; n < count && !in.IsAtEnd(); ++n) {
    const int coded = in.Next<std::uint16_t>();
    value += (coded >> 1) ^ -(coded & 1);
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 32'767);
    values.push_back(value);
  }
  return values;
}

void ReadExtension(Reader& in, DecodedMesh& mesh) {
  const int id = in.Next<std::uint8_t>();
  const auto size = in.Next<std::uint32_t>();
  const std::size_t end = in.at() + size;
  if (id == 1) {
    EXPECT_EQ(size, 2 * mesh.u.size());
    for (std::size_t n = 0; n < size / 2; ++n) {
      const auto x = in.Next<std::uint8_t>();
      mesh.normals.push_back({x, in.Next<std::uint8_t>()});
    }
  } else if (id == 2) {
    mesh.water_mask = in.NextText(size);
  } else if (id == 4) {
    const auto length = in.Next<std::uint32_t>();
    mesh.metadata = in.NextText(length);
  } else {
    ADD_FAILURE() << "extension " << id;
    in.NextText(size);
  }
  EXPECT_EQ(in.at(), end);
}

}  // namespace

DecodedMesh DecodeMesh(const std::string& bytes) {
  Reader in(bytes);
  DecodedMesh mesh;
  mesh.center = in.NextPoint();
  mesh.min_height_m = in.Next<float>();
  mesh.max_height_m = in.Next<float>();
  mesh.sphere_center = in.NextPoint();
  mesh.sphere_radius_m = in.Next<double>();
  mesh.horizon = in.NextPoint();
  const auto vertices = in.Next<std::uint32_t>();
  mesh.wide = vertices > 65'536;
  mesh.u = NextCoordinates(in, vertices);
  mesh.v = NextCoordinates(in, vertices);
  mesh.height = NextCoordinates(in, vertices);
  in.Align(mesh.wide ? 4 : 2);
  const auto triangles = in.Next<std::uint32_t>();
  std::uint32_t highest = 0;
  for (std::uint32_t n = 0; n < triangles && !in.IsAtEnd(); ++n) {
    auto& triangle = mesh.triangles.emplace_back();
    for (std::uint32_t& index : triangle) {
      const std::uint32_t code = in.NextIndex(mesh.wide);
      index = highest - code;
      if (code == 0) ++highest;
    }
  }
  for (auto& edge : mesh.edges) {
    const auto count = in.Next<std::uint32_t>();
    for (std::uint32_t n = 0; n < count && !in.IsAtEnd(); ++n) {
      edge.push_back(in.NextIndex(mesh.wide));
    }
  }
  while (!in.IsAtEnd()) ReadExtension(in, mesh);
  return mesh;
}

}  // namespace thalweg::geographic
