#include "server/tiles3d/tileset_json.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/json_text.h"
#include "proto/wire/invalid.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/subtree_query.h"

namespace thalweg::tiles3d {
namespace {

using nlohmann::ordered_json;

// How many points in a row the box is made from, and by how much it is enlarged for the ground
// between them. On a whole face they are 5.6° apart; such an arc rises above its chord by 0.1 % of
// half the face.
constexpr int kSamples = 16;
constexpr double kSlack = 1.002;

struct Range {
  double min = std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::lowest();
};

constexpr char kS2Extension[] = "3DTILES_bounding_volume_S2";

geographic::Ellipsoid EllipsoidOf(const world::World& world) {
  return geographic::EllipsoidOf(world.spec().sphere().radius_m());
}

// The head of all tilesets. None has a tilesetVersion, since CesiumJS would add it to URLs, which
// have the world's id anyway.
ordered_json HeadOf(const world::World& world, double geometric_error_m) {
  const geographic::Ellipsoid ellipsoid = EllipsoidOf(world);
  const ordered_json axes_m = {ellipsoid.equatorial_m, ellipsoid.equatorial_m, ellipsoid.polar_m};
  return {{"asset", {{"version", "1.1"}, {"extras", {{"ellipsoid_m", axes_m}}}}},
          {"geometricError", geometric_error_m}};
}

std::string PathOf(const Cell& cell) { return absl::StrCat(cell.level, "/", cell.x, "/", cell.y); }

// Twelve numbers, to the millimetre.
ordered_json VolumeOf(const Box& box) {
  ordered_json numbers = ordered_json::array();
  const auto append = [&numbers](const sphere::Vector& point) {
    constexpr int kDecimals = 3;
    for (const double metres : {point.x, point.y, point.z}) {
      numbers.push_back(json::Rounded(metres, kDecimals));
    }
  };
  append(box.center);
  for (const sphere::Vector& axis : box.half_axes) append(axis);
  return {{"box", std::move(numbers)}};
}

ordered_json TileWith(ordered_json volume, double geometric_error_m, const std::string& content) {
  return {{"boundingVolume", std::move(volume)},
          {"geometricError", geometric_error_m},
          {"refine", "REPLACE"},
          {"content", {{"uri", content}}}};
}

// A face as the root of an implicit tileset. The heights are in its subtrees.
ordered_json S2Face(const world::World& world, int face, const std::string& folder) {
  const HeightBounds bounds = WidestBounds(world);
  const ordered_json cell = {
      {"token", TokenOf(face)}, {"minimumHeight", bounds.min_m}, {"maximumHeight", bounds.max_m}};
  ordered_json tile = TileWith({{"extensions", {{kS2Extension, cell}}}}, GeometricErrorM(world, 0),
                               absl::StrCat(folder, face, "/{level}/{x}/{y}.glb"));
  tile["implicitTiling"] = {
      {"subdivisionScheme", "QUADTREE"},
      {"subtreeLevels", kSubtreeLevels},
      {"availableLevels", world.levels()},
      {"subtrees", {{"uri", absl::StrCat(folder, face, "/subtrees/{level}/{x}/{y}.subtree")}}}};
  return tile;
}

ordered_json BoxFace(const world::World& world, int face, const std::string& folder) {
  const Cell cell = {.face = face};
  return TileWith(VolumeOf(BoxAround(cell, EllipsoidOf(world), WidestBounds(world))),
                  GeometricErrorM(world, 0),
                  absl::StrCat(folder, face, "/subtrees/", PathOf(cell), ".json"));
}

// The schema of the metadata of each tile in a subtree.
ordered_json HeightSchema() {
  const auto height = [](const char* semantic) {
    return ordered_json{{"type", "SCALAR"},
                        {"componentType", "FLOAT32"},
                        {"semantic", semantic},
                        {"required", true}};
  };
  const ordered_json properties = {{"minimumHeight", height("TILE_MINIMUM_HEIGHT")},
                                   {"maximumHeight", height("TILE_MAXIMUM_HEIGHT")}};
  return {{"id", "thalweg"}, {"classes", {{"tile", {{"properties", properties}}}}}};
}

// The tiles of an external tileset, from a cell down.
class BoxTree {
 public:
  BoxTree(const world::World& world, const Cell& root, const SubtreeHeights& heights)
      : world_(world), root_(root), heights_(heights), ellipsoid_(EllipsoidOf(world)) {}

  ordered_json TilesFrom(const Cell& cell) const {
    const bool external = cell.level == root_.level + kSubtreeLevels;
    // Relative to {face}/subtrees/{level}/{x}/.
    const std::string uri =
        absl::StrCat(external ? "../../" : "../../../", PathOf(cell), external ? ".json" : ".glb");
    ordered_json tile = TileWith(VolumeOf(BoxAround(cell, ellipsoid_, heights_.Of(cell))),
                                 GeometricErrorM(world_, cell.level), uri);
    if (!external && cell.level + 1 < world_.levels()) {
      for (int child = 0; child < 4; ++child) {
        tile["children"].push_back(TilesFrom(Below(cell, 1, child % 2, child / 2)));
      }
    }
    return tile;
  }

 private:
  const world::World& world_;
  const Cell root_;
  const SubtreeHeights& heights_;
  const geographic::Ellipsoid ellipsoid_;
};

}  // namespace

Box BoxAround(const Cell& cell, const geographic::Ellipsoid& ellipsoid,
              const HeightBounds& bounds) {
  const wire::TileKey key = TileOf(cell);
  constexpr int kMiddle = wire::kTileCells / 2;
  const sphere::Vector up = DirectionOf(key, kMiddle, kMiddle);
  const sphere::Vector along =
      DirectionOf(key, wire::kTileCells, kMiddle) - DirectionOf(key, 0, kMiddle);
  const sphere::Vector south = Unit(Cross(along, up));
  const std::array<sphere::Vector, 3> axes = {Cross(up, south), south, up};
  std::array<Range, 3> ranges;
  for (int row = 0; row <= wire::kTileCells; row += wire::kTileCells / kSamples) {
    for (int column = 0; column <= wire::kTileCells; column += wire::kTileCells / kSamples) {
      const sphere::Vector direction = DirectionOf(key, column, row);
      for (const double height_m : {bounds.min_m, bounds.max_m}) {
        const sphere::Vector point = geographic::PointAbove(ellipsoid, direction, height_m);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double at = Dot(point, axes[axis]);
          ranges[axis].min = std::min(ranges[axis].min, at);
          ranges[axis].max = std::max(ranges[axis].max, at);
        }
      }
    }
  }
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [min, max] = ranges[axis];
    box.center = box.center + (min + max) / 2 * axes[axis];
    box.half_axes[axis] = kSlack * (max - min) / 2 * axes[axis];
  }
  return box;
}

Volumes UsualVolumes(const world::World& world) {
  return EllipsoidOf(world) == geographic::kWgs84 ? Volumes::kS2 : Volumes::kBoxes;
}

absl::Status CheckVolumes(const world::World& world, Volumes volumes) {
  if (volumes == Volumes::kBoxes || UsualVolumes(world) == Volumes::kS2) return absl::OkStatus();
  return wire::Invalid("world", "a planet of the Earth's size, whose cells are those of S2",
                       absl::StrCat("'", world.name(), "': use boxes.json instead"));
}

std::string TilesetJson(const world::World& world, Volumes volumes) {
  const double radius_m = EllipsoidOf(world).equatorial_m;
  const std::string folder = absl::StrCat("../../", world.hex_id(), "/3dtiles/");
  ordered_json tileset = HeadOf(world, radius_m);
  if (volumes == Volumes::kS2) {
    tileset["extensionsUsed"] = ordered_json::array({kS2Extension});
    tileset["extensionsRequired"] = ordered_json::array({kS2Extension});
    tileset["schema"] = HeightSchema();
  }
  ordered_json faces = ordered_json::array();
  for (int face = 0; face < sphere::kFaces; ++face) {
    faces.push_back(volumes == Volumes::kS2 ? S2Face(world, face, folder)
                                            : BoxFace(world, face, folder));
  }
  tileset["root"] = {{"boundingVolume", {{"sphere", {0, 0, 0, radius_m + kMaxHeightM}}}},
                     {"geometricError", radius_m},
                     {"refine", "REPLACE"},
                     {"children", std::move(faces)}};
  return json::TextOf(std::move(tileset)) + "\n";
}

std::string ExternalTilesetJson(const world::World& world, const Cell& root,
                                const SubtreeHeights& heights) {
  ordered_json tileset = HeadOf(world, GeometricErrorM(world, root.level));
  tileset["root"] = BoxTree(world, root, heights).TilesFrom(root);
  return json::TextOf(std::move(tileset)) + "\n";
}

}  // namespace thalweg::tiles3d
