#include "server/tiles3d/subtree_query.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/json_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"

namespace thalweg::tiles3d {
namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kMagic = 0x74627573;  // "subt"
constexpr std::uint32_t kVersion = 1;

template <typename T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void Pad(std::string& bytes, char padding) { bytes.resize((bytes.size() + 7) / 8 * 8, padding); }

// The bufferViews of a buffer that is being filled.
struct Views {
  ordered_json list = ordered_json::array();
  std::string binary;

  void Add(const std::string& content) {
    list.push_back({{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", content.size()}});
    binary += content;
    Pad(binary, '\0');
  }
};

// A bit for each tile, of which the first ones are set.
std::string FirstBits(int set, int bits) {
  std::string bytes(static_cast<std::size_t>((bits + 7) / 8), '\0');
  for (int bit = 0; bit < set; ++bit) {
    char& byte = bytes[static_cast<std::size_t>(bit / 8)];
    byte = static_cast<char>(byte | (1 << (bit % 8)));
  }
  return bytes;
}

// The nearest float that is not larger, or not smaller, than this.
float Outward(double metres, float towards) {
  const auto nearest = static_cast<float>(metres);
  const bool inside =
      towards < 0 ? static_cast<double>(nearest) > metres : static_cast<double>(nearest) < metres;
  return inside ? std::nextafter(nearest, towards) : nearest;
}

// The version of the code that turns values into these bytes. Raise it with every change of them.
constexpr int kSubtreeVersion = 2;

// The even bits of a number on the Morton curve: a cell's column; of the number shifted by one, its
// row.
std::int64_t EvenBits(int morton) {
  std::int64_t bits = 0;
  for (int bit = 0; bit < kSubtreeLevels; ++bit) {
    bits |= std::int64_t{(morton >> (2 * bit)) & 1} << bit;
  }
  return bits;
}

std::string SubtreeFile(const SubtreeQuery& query, const SubtreeHeights& heights) {
  const int below = query.tile_query.world->levels() - query.root.level;
  std::vector<HeightBounds> bounds;
  for (int level = 0; level < std::min(kSubtreeLevels, below); ++level) {
    for (int morton = 0; morton < 1 << (2 * level); ++morton) {
      bounds.push_back(
          heights.Of(Below(query.root, level, EvenBits(morton), EvenBits(morton >> 1))));
    }
  }
  return EncodeSubtree(bounds, below > kSubtreeLevels);
}

absl::StatusOr<std::string> BytesOf(const SubtreeQuery& query,
                                    std::span<const tile::TileContents> tiles) {
  THALWEG_ASSIGN_OR_RETURN(const auto planes, tiles[0].Planes(query.tile_query));
  const world::World& world = *query.tile_query.world;
  const SubtreeHeights heights(world, query.root, planes[0]);
  return query.volumes == Volumes::kS2 ? SubtreeFile(query, heights)
                                       : ExternalTilesetJson(world, query.root, heights);
}

}  // namespace

std::string EncodeSubtree(std::span<const HeightBounds> bounds, bool has_children) {
  constexpr float kFar = std::numeric_limits<float>::max();
  std::string min;
  std::string max;
  for (const HeightBounds& tile : bounds) {
    Append(min, Outward(tile.min_m, -kFar));
    Append(max, Outward(tile.max_m, kFar));
  }
  Views views;
  views.Add(min);
  views.Add(max);
  const int count = static_cast<int>(bounds.size());
  ordered_json available = {{"constant", 1}};
  if (count < TilesOf(kSubtreeLevels)) {
    views.Add(FirstBits(count, TilesOf(kSubtreeLevels)));
    available = {{"bitstream", 2}, {"availableCount", count}};
  }
  const ordered_json heights = {
      {"class", "tile"},
      {"count", count},
      {"properties", {{"minimumHeight", {{"values", 0}}}, {"maximumHeight", {{"values", 1}}}}}};
  std::string json =
      json::TextOf({{"buffers", ordered_json::array({{{"byteLength", views.binary.size()}}})},
                    {"bufferViews", views.list},
                    {"propertyTables", ordered_json::array({heights})},
                    {"tileMetadata", 0},
                    {"tileAvailability", available},
                    {"contentAvailability", ordered_json::array({available})},
                    {"childSubtreeAvailability", {{"constant", has_children ? 1 : 0}}}});
  Pad(json, ' ');
  std::string bytes;
  Append(bytes, kMagic);
  Append(bytes, kVersion);
  Append(bytes, std::uint64_t{json.size()});
  Append(bytes, std::uint64_t{views.binary.size()});
  return bytes + json + views.binary;
}

absl::StatusOr<SubtreeQuery> ParseSubtreeQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& root, Volumes volumes) {
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckVolumes(*world, volumes));
  THALWEG_RETURN_IF_ERROR(CheckCell(root, *world));
  if (root.level % kSubtreeLevels != 0) {
    return wire::Invalid("level", absl::StrCat("a multiple of ", kSubtreeLevels), root.level,
                         absl::StatusCode::kNotFound);
  }
  SubtreeQuery query{.tile_query = {.world = world,
                                    .key = TileOf(root),
                                    .layers = tile::LayerChoice::None(),
                                    .precision = v1::PRECISION_EXACT},
                     .root = root,
                     .volumes = volumes};
  query.tile_query.layers.Add(SurfaceOf(*world));
  return query;
}

std::string IdentityOf(const SubtreeQuery& query) {
  const Cell& root = query.root;
  return absl::StrCat("3d subtree ", kSubtreeVersion, " ", query.tile_query.world->hex_id(), " ",
                      root.face, " ", root.level, " ", root.x, " ", root.y, " ",
                      static_cast<int>(query.volumes));
}

raster::Recipe RecipeOf(const SubtreeQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles = [query] { return std::vector<tile::TileQuery>{query.tile_query}; },
      .make = [query](std::span<const tile::TileContents> tiles) { return BytesOf(query, tiles); }};
}

}  // namespace thalweg::tiles3d
