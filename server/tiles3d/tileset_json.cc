#include "server/tiles3d/tileset_json.h"

#include "absl/strings/str_format.h"
#include "proto/sphere/cube_faces.h"
#include "proto/wire/invalid.h"
#include "server/geographic/ellipsoid.h"
#include "server/tiles3d/box.h"
#include "server/tiles3d/errors.h"
#include "server/tiles3d/subtree_file.h"

namespace thalweg::tiles3d {
namespace {

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
