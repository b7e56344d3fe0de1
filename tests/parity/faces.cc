#include "tests/parity/faces.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "proto/geometry/cube_sphere.h"
#include "shaders/kernels/rivers.glsl"
#include "shaders/kernels/shore.glsl"
#include "tests/parity/compare.h"
#include "tests/proto/geometry/continued.h"

namespace thalweg::parity {

using backend::Layer;
using sphere::Vertex;

std::int32_t Turned(Layer layer, std::int32_t value, int turns) {
  if (layer == Layer::kWay) return kernels::turnedRiver(value, turns);
  return layer == Layer::kShore ? kernels::turnedShore(value, turns) : value;
}

std::vector<std::int32_t> ReadContinued(Chain& chain, int level, const backend::Vertices& at,
                                        Layer layer) {
  std::vector<Vertex> owners;
  std::vector<int> turns;
  std::map<int, std::pair<Vertex, Vertex>> boxes;
  for (std::int64_t y = at.y; y < at.y + at.height; ++y) {
    for (std::int64_t x = at.x; x < at.x + at.width; ++x) {
      const Vertex place{at.face, x, y};
      const Vertex owner = sphere::Continued(place, FaceCells(level));
      owners.push_back(owner);
      turns.push_back(sphere::TurnsFromOwner(place, FaceCells(level)));
      auto [box, is_new] = boxes.try_emplace(owner.face, owner, owner);
      auto& [first, last] = box->second;
      first = {owner.face, std::min(first.x, owner.x), std::min(first.y, owner.y)};
      last = {owner.face, std::max(last.x, owner.x), std::max(last.y, owner.y)};
    }
  }
  std::map<int, std::vector<std::int32_t>> values;
  for (const auto& [face, box] : boxes) {
    const auto& [first, last] = box;
    values[face] = chain.Read(level,
                              {first.x, first.y, static_cast<int>(last.x - first.x) + 1,
                               static_cast<int>(last.y - first.y) + 1, face},
                              layer);
  }
  std::vector<std::int32_t> read;
  for (std::size_t n = 0; n < owners.size(); ++n) {
    const Vertex& owner = owners[n];
    const auto& [first, last] = boxes.at(owner.face);
    const std::int64_t width = last.x - first.x + 1;
    const std::int32_t value = values.at(
        owner.face)[static_cast<std::size_t>((owner.y - first.y) * width + owner.x - first.x)];
    read.push_back(Turned(layer, value, turns[n]));
  }
  return read;
}

std::string FaceDifferences(backend::Backend& backend, Chain& chain, const world::BlockShape& shape,
                            const world::BlockKey& key, backend::Layer layer) {
  const int side = shape.ResultSide();
  std::vector<std::int32_t> here(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  const world::FaceLayout& surface = world::SphereLayout();
  world::BlockKey of_block = key;
  of_block.face = world::BlockFace(surface, key.level, key.face);
  const absl::Status status = backend.Read(*chain.Block(of_block), layer, {0, 0, side, side}, here,
                                           world::WindowOf(surface, key.level, key.face));
  if (!status.ok()) return status.ToString();
  const backend::Vertices at{key.x * shape.block_cells - shape.apron,
                             key.y * shape.block_cells - shape.apron, side, side, key.face};
  return Difference(ReadContinued(chain, key.level, at, layer), here, side);
}

}  // namespace thalweg::parity
