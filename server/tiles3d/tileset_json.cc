#include "server/tiles3d/tileset_json.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/wire/invalid.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/subtree_query.h"

namespace thalweg::tiles3d {
namespace {

using geographic::Cross;
using geographic::Difference;
using geographic::Dot;
using geographic::Scaled;
using geographic::Sum;
using geographic::UnitOf;

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

std::string Number(double value) { return absl::StrFormat("%.17g", value); }

// The asset of all tilesets. None has a tilesetVersion, since CesiumJS would add it to URLs, which
// have the world's id anyway.
std::string HeadOf(const world::World& world, double geometric_error_m) {
  const geographic::Ellipsoid ellipsoid = EllipsoidOf(world);
  const std::string equatorial = Number(ellipsoid.equatorial_m);
  return absl::StrCat("{\"asset\":{\"version\":\"1.1\",\"extras\":{\"ellipsoid_m\":[", equatorial,
                      ",", equatorial, ",", Number(ellipsoid.polar_m),
                      "]}},\"geometricError\":", Number(geometric_error_m));
}

std::string PathOf(const Cell& cell) { return absl::StrCat(cell.level, "/", cell.x, "/", cell.y); }

std::string TileJson(const std::string& volume, double geometric_error_m,
                     const std::string& content) {
  return absl::StrCat("{\"boundingVolume\":", volume,
                      ",\"geometricError\":", Number(geometric_error_m),
                      ",\"refine\":\"REPLACE\",\"content\":{\"uri\":\"", content, "\"}");
}

// A face as the root of an implicit tileset. The heights are in its subtrees.
std::string S2FaceJson(const world::World& world, int face, const std::string& folder) {
  const HeightBounds bounds = WidestBounds(world);
  const std::string volume =
      absl::StrCat("{\"extensions\":{\"", kS2Extension, "\":{\"token\":\"", TokenOf(face),
                   "\",\"minimumHeight\":", Number(bounds.min_m),
                   ",\"maximumHeight\":", Number(bounds.max_m), "}}}");
  return absl::StrCat(
      TileJson(volume, GeometricErrorM(world, 0),
               absl::StrCat(folder, face, "/{level}/{x}/{y}.glb")),
      ",\"implicitTiling\":{\"subdivisionScheme\":\"QUADTREE\",\"subtreeLevels\":", kSubtreeLevels,
      ",\"availableLevels\":", world.levels(), ",\"subtrees\":{\"uri\":\"", folder, face,
      "/subtrees/{level}/{x}/{y}.subtree\"}}}");
}

std::string BoxFaceJson(const world::World& world, int face, const std::string& folder) {
  const Cell cell = {.face = face};
  return absl::StrCat(TileJson(JsonOf(BoxAround(cell, EllipsoidOf(world), WidestBounds(world))),
                               GeometricErrorM(world, 0),
                               absl::StrCat(folder, face, "/subtrees/", PathOf(cell), ".json")),
                      "}");
}

// The schema of the metadata of each tile in a subtree.
constexpr char kHeightSchema[] =
    ",\"schema\":{\"id\":\"thalweg\",\"classes\":{\"tile\":{\"properties\":{"
    "\"minimumHeight\":{\"type\":\"SCALAR\",\"componentType\":\"FLOAT32\","
    "\"semantic\":\"TILE_MINIMUM_HEIGHT\",\"required\":true},"
    "\"maximumHeight\":{\"type\":\"SCALAR\",\"componentType\":\"FLOAT32\","
    "\"semantic\":\"TILE_MAXIMUM_HEIGHT\",\"required\":true}}}}}";

// The tiles of an external tileset, from a cell down.
class BoxTree {
 public:
  BoxTree(const world::World& world, const Cell& root, const SubtreeHeights& heights)
      : world_(world), root_(root), heights_(heights), ellipsoid_(EllipsoidOf(world)) {}

  void Append(std::string& json, const Cell& cell) const {
    const bool external = cell.level == root_.level + kSubtreeLevels;
    // Relative to {face}/subtrees/{level}/{x}/.
    const std::string uri =
        absl::StrCat(external ? "../../" : "../../../", PathOf(cell), external ? ".json" : ".glb");
    absl::StrAppend(&json, TileJson(JsonOf(BoxAround(cell, ellipsoid_, heights_.Of(cell))),
                                    GeometricErrorM(world_, cell.level), uri));
    if (!external && cell.level + 1 < world_.levels()) {
      for (int child = 0; child < 4; ++child) {
        json += child == 0 ? ",\"children\":[" : ",";
        Append(json, Below(cell, 1, child % 2, child / 2));
      }
      json += "]";
    }
    json += "}";
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
  const sphere::Point up = DirectionOf(key, kMiddle, kMiddle);
  const sphere::Point along =
      Difference(DirectionOf(key, wire::kTileCells, kMiddle), DirectionOf(key, 0, kMiddle));
  const sphere::Point south = UnitOf(Cross(along, up));
  const std::array<sphere::Point, 3> axes = {Cross(up, south), south, up};
  std::array<Range, 3> ranges;
  for (int row = 0; row <= wire::kTileCells; row += wire::kTileCells / kSamples) {
    for (int column = 0; column <= wire::kTileCells; column += wire::kTileCells / kSamples) {
      const sphere::Point direction = DirectionOf(key, column, row);
      for (const double height_m : {bounds.min_m, bounds.max_m}) {
        const sphere::Point point = geographic::PointAbove(ellipsoid, direction, height_m);
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
    box.center = Sum(box.center, Scaled(axes[axis], (min + max) / 2));
    box.half_axes[axis] = Scaled(axes[axis], kSlack * (max - min) / 2);
  }
  return box;
}

std::string JsonOf(const Box& box) {
  std::string json;
  const auto append = [&json](const sphere::Point& point) {
    absl::StrAppend(&json, json.empty() ? "" : ",",
                    absl::StrFormat("%.3f,%.3f,%.3f", point.x, point.y, point.z));
  };
  append(box.center);
  for (const sphere::Point& axis : box.half_axes) append(axis);
  return absl::StrCat("{\"box\":[", json, "]}");
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
  std::string json = HeadOf(world, radius_m);
  if (volumes == Volumes::kS2) {
    absl::StrAppend(&json, ",\"extensionsUsed\":[\"", kS2Extension,
                    "\"],\"extensionsRequired\":[\"", kS2Extension, "\"]", kHeightSchema);
  }
  absl::StrAppend(&json, ",\"root\":{\"boundingVolume\":{\"sphere\":[0,0,0,",
                  Number(radius_m + kMaxHeightM), "]},\"geometricError\":", Number(radius_m),
                  ",\"refine\":\"REPLACE\",\"children\":[");
  for (int face = 0; face < sphere::kFaces; ++face) {
    absl::StrAppend(&json, face == 0 ? "" : ",",
                    volumes == Volumes::kS2 ? S2FaceJson(world, face, folder)
                                            : BoxFaceJson(world, face, folder));
  }
  return json + "]}}\n";
}

std::string ExternalTilesetJson(const world::World& world, const Cell& root,
                                const SubtreeHeights& heights) {
  std::string json = HeadOf(world, GeometricErrorM(world, root.level));
  json += ",\"root\":";
  BoxTree(world, root, heights).Append(json, root);
  return json + "}\n";
}

}  // namespace thalweg::tiles3d
