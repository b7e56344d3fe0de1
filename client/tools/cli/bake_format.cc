#include "client/tools/cli/bake_format.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "client/tools/cli/arguments.h"
#include "proto/wire/invalid.h"
#include "thalweg/sample.h"

namespace thalweg::cli {
namespace {

using raster_file::Sample;

// In the order of the help. The first one is the default.
constexpr BakeFormat kBakeFormats[] = {
    {.name = "cog",
     .help = R"(
  cog      cloud-optimised GeoTIFF with overviews, 32-bit floats in the layer's unit)",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = 4,
     .options = "--overviews --compress",
     .areas = AreasOfOverviews,
     .sample = Sample::kFloat32,
     .driver = "COG",
     .on_planets = true},
    {.name = "geotiff",
     .help = R"(
  geotiff  tiled GeoTIFF, the same values)",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = 4,
     .options = "--compress",
     .sample = Sample::kFloat32,
     .driver = "GTiff",
     .on_planets = true},
    {.name = "png16",
     .help = R"(
  png16    16-bit grey PNG over the range, with a sidecar FILE.json)",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = 2,
     .endings = ".png",
     .sample = Sample::kUint16,
     .driver = "PNG",
     .for_engines = true,
     .on_planets = true},
    {.name = "raw16",
     .help = R"(
  raw16    16-bit little-endian integers over the range, with a sidecar FILE.json)",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = 2,
     .endings = ".raw .r16",
     .sample = Sample::kUint16,
     .for_engines = true,
     .on_planets = true},
    {.name = "raw32",
     .help = R"(
  raw32    the world's own 32-bit integers, exact, with a sidecar FILE.json)",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = 4,
     .endings = ".i32",
     .sample = Sample::kInt32,
     .has_packed = true,
     .on_planets = true},
    {.name = "splat",
     .help = R"(
  splat    of the layer cover: the weights of its classes in RGBA PNGs of four each, FILE-0 to
           FILE-3 (Unity's alphamaps, Godot's control maps), with a sidecar FILE.json)",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = kCovers,
     .sample = Sample::kUint8,
     .driver = "PNG",
     .bands = 4,
     .has_packed = true,
     .for_engines = true,
     .on_planets = true},
    {.name = "weights",
     .help = R"(
  weights  the same as a grey PNG for each class, FILE-CLASS (Unreal's layer weights))",
     .kind = BakeKind::kRaster,
     .check = CheckRaster,
     .write = WriteRasters,
     .bytes_per_vertex = kCovers,
     .sample = Sample::kUint8,
     .driver = "PNG",
     .has_packed = true,
     .for_engines = true,
     .on_planets = true},
    {.name = "gpkg",
     .help = R"(
  gpkg     rivers and lakes as lines and polygons: a GeoPackage with the layers rivers (the ground
           that they drain, width, Strahler order, heights, length, the river that follows) and
           lakes (level, area, depth); it takes the layers that it needs itself)",
     .kind = BakeKind::kVectors,
     .check = CheckVectors,
     .write = WriteVectors,
     // Lines have few vertices; measured on bakes of the presets.
     .bytes_per_vertex = 1,
     .endings = ".gpkg",
     .options = "--min-drained-km2",
     .layers = VectorLayers},
    {.name = "contours",
     .help = R"(
  contours contour lines as GeoJSON, each with its height: in degrees where the world's place on the
           Earth is known, else in metres east and north)",
     .kind = BakeKind::kContours,
     .check = CheckContours,
     .write = WriteContours,
     .bytes_per_vertex = 1,
     .endings = ".geojson",
     .options = "--interval",
     .layers = ContourLayers},
    {.name = "contour-tiles",
     .help = R"(
  contour-tiles  the same as vector tiles in an MBTiles file, in the layer contours, for the zooms of
           the level and four coarser ones; placed as mbtiles)",
     .kind = BakeKind::kContours,
     .check = CheckContours,
     .write = WriteContours,
     .bytes_per_vertex = 1,
     .options = "--interval --window",
     .layers = ContourLayers},
    {.name = "mbtiles",
     .help = R"(
  mbtiles  heights as terrarium PNGs (MBTiles 1.3), all of each tile of 256 vertices that the region
           touches, and the coarser levels above them down to level 0. Columns and rows are those of
           tilejson.json over the same --window; pixels have the heights of their corners)",
     .kind = BakeKind::kMapTiles,
     .check = CheckMbtiles,
     .write = WriteMbtiles,
     // Of all levels.
     .bytes_per_vertex = 3,
     .endings = ".mbtiles",
     .options = "--window",
     .areas = AreasOfPyramid},
    {.name = "pmtiles",
     .help = R"(
  pmtiles  the same tiles as PMTiles 3, which maps read from any web server)",
     .kind = BakeKind::kMapTiles,
     .check = CheckPmtiles,
     .write = WritePmtiles,
     .bytes_per_vertex = 3,
     .endings = ".pmtiles",
     .options = "--window",
     .areas = AreasOfPyramid},
    {.name = "glb",
     .help = R"(
  glb      a mesh of up to 2,049 vertices on a side, as binary glTF: metres from the region's middle,
           y up, z to the south, with normals and a picture of the ground (--texture). No vertex of
           the region is farther above or below it than --mesh-error-m; all vertices of the border
           stay. asset.extras has its place and the error reached)",
     .kind = BakeKind::kMesh,
     .check = CheckMesh,
     .write = WriteMesh,
     // Every vertex, two triangles for each, and a picture.
     .bytes_per_vertex = 32 + 2 * 12 + 2,
     .endings = ".glb",
     .options = "--mesh-error-m --texture",
     .layers = MeshLayers,
     .has_packed = true},
};

constexpr std::array<std::int64_t, 8> kUnitySizes = {33, 65, 129, 257, 513, 1025, 2049, 4097};

// Unreal divides a side into components of one or two sections of so many quads, and has 32 of them
// at most (its Landscape Technical Guide).
constexpr std::array<std::int64_t, 6> kUnrealQuads = {7, 15, 31, 63, 127, 255};
constexpr std::int64_t kUnrealComponents = 32;

bool IsUnrealSize(std::int64_t width, std::int64_t height) {
  for (const std::int64_t quads : kUnrealQuads) {
    for (const std::int64_t component : {quads, 2 * quads}) {
      const auto fits = [component](std::int64_t side) {
        return side > 1 && (side - 1) % component == 0 &&
               (side - 1) / component <= kUnrealComponents;
      };
      if (fits(width) && fits(height)) return true;
    }
  }
  return false;
}

// The squares that Unreal's guide recommends.
constexpr std::array<std::int64_t, 8> kUnrealSizes = {127, 253, 505, 1009, 2017, 4033, 8129, 8161};

std::string Around(std::span<const std::int64_t> sizes, std::int64_t size) {
  const auto above = std::ranges::upper_bound(sizes, size);
  if (above == sizes.begin()) return absl::StrCat(*above);
  if (above == sizes.end()) return absl::StrCat(sizes.back());
  return absl::StrCat(*(above - 1), " or ", *above);
}

}  // namespace

bool BakeFormat::Has(const char* option) const {
  return std::string_view(options).find(option) != std::string_view::npos;
}

const std::map<std::string, const BakeFormat*>& BakeFormatsByName() {
  static const std::map<std::string, const BakeFormat*> formats = [] {
    std::map<std::string, const BakeFormat*> by_name;
    for (const BakeFormat& format : kBakeFormats) by_name[format.name] = &format;
    return by_name;
  }();
  return formats;
}

const BakeFormat& BakeFormatOf(const std::string& file) {
  for (const BakeFormat& format : kBakeFormats) {
    for (const absl::string_view ending : absl::StrSplit(format.endings, ' ', absl::SkipEmpty())) {
      if (absl::EndsWith(file, ending)) return format;
    }
  }
  return kBakeFormats[0];
}

std::string BakeFormatNames() {
  std::vector<std::string> names;
  for (const BakeFormat& format : kBakeFormats) names.emplace_back(format.name);
  // As in a dictionary, where hyphens don't count.
  std::ranges::sort(names, {}, [](const std::string& name) {
    return absl::StrReplaceAll(name, {{"-", ""}});
  });
  return absl::StrJoin(names, "|");
}

std::string BakeFormatHelp() {
  std::string text = "Formats:";
  for (const BakeFormat& format : kBakeFormats) text += format.help;
  return text;
}

std::vector<OptionRule> RulesOf(const BakeFormat& format) {
  const bool raster = format.kind == BakeKind::kRaster;
  const bool vectors = format.kind == BakeKind::kVectors;
  const bool contours = format.kind == BakeKind::kContours;
  const bool tiles = format.kind == BakeKind::kMapTiles;
  const bool mesh = format.kind == BakeKind::kMesh;
  const auto lacks = [&format](const char* option, const char* why) {
    return OptionRule{option, !format.Has(option), why};
  };
  return {
      {"--range", !raster, "can't be used with --format gpkg, mbtiles, pmtiles, contours or glb"},
      {"--tile", !raster, "can't be used with --format gpkg, mbtiles, pmtiles, contours or glb"},
      {"--layer", vectors,
       "can't be used with --format gpkg, which takes height, flow and water-level"},
      {"--layer", contours, "can't be used with --format contours, which takes height"},
      {"--layer", mesh, "can't be used with --format glb, which takes its own"},
      {"--crs", format.Has("--window"),
       "can't be used with --format mbtiles, pmtiles or contour-tiles: --window places the tiles"},
      {"--for", tiles, "can't be used with --format mbtiles or pmtiles, which take whole tiles"},
      lacks("--min-drained-km2", "needs --format gpkg"),
      lacks("--mesh-error-m", "needs --format glb"),
      lacks("--texture", "needs --format glb"),
      lacks("--window", "needs --format mbtiles, pmtiles or contour-tiles"),
      lacks("--interval", "needs --format contours or contour-tiles"),
      lacks("--overviews", "needs --format cog"),
      lacks("--compress", "needs --format cog or geotiff"),
  };
}

absl::Status CheckSizeFor(Engine engine, std::int64_t width, std::int64_t height) {
  const std::string got = absl::StrCat(width, " x ", height);
  const std::int64_t longer = std::max(width, height);
  switch (engine) {
    case Engine::kAny:
      return absl::OkStatus();
    case Engine::kUnity:
      if (width == height && std::ranges::find(kUnitySizes, width) != kUnitySizes.end()) {
        return absl::OkStatus();
      }
      return wire::Invalid("size",
                           absl::StrCat("a square that Unity imports, such as ",
                                        Around(kUnitySizes, longer), " vertices on a side"),
                           got);
    case Engine::kUnreal:
      if (IsUnrealSize(width, height)) return absl::OkStatus();
      return wire::Invalid("size",
                           absl::StrCat("one that Unreal imports, such as ",
                                        Around(kUnrealSizes, longer), " vertices on a side"),
                           got);
  }
  std::abort();  // every engine is above
}

absl::Status CheckSquares(std::int64_t side, std::int64_t width, std::int64_t height) {
  for (const auto& [name, size] : {std::pair{"--width", width}, {"--height", height}}) {
    const std::int64_t squares = (size - 1) / (side - 1);
    if (squares > 0 && squares * (side - 1) + 1 == size) continue;
    const std::int64_t below = std::max<std::int64_t>(squares, 1) * (side - 1) + 1;
    return wire::Invalid(
        name,
        absl::StrCat("squares of ", side, " vertices that share their edges, such as ", below,
                     " or ", below + side - 1, " vertices"),
        size);
  }
  return absl::OkStatus();
}

}  // namespace thalweg::cli
