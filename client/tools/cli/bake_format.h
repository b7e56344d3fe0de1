// The formats of bakes: a table, the functions that it names, and the sizes that engines import.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/raster/raster_sink.h"
#include "proto/bake/bake_plan.h"
#include "thalweg/layer.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

struct BakeArguments;
struct BakedLevel;
struct Baking;
enum class Engine : std::uint8_t;

using LayerLists = std::vector<std::vector<Layer>>;

enum class BakeKind : std::uint8_t { kRaster, kVectors, kContours, kMapTiles, kMesh };

// A row of the table: what other code must know of a format.
struct BakeFormat {
  const char* name;
  // Its lines of the help.
  const char* help;
  BakeKind kind;
  // Fails at once, not after an hour's work, if the files can't be written in this format or place.
  absl::Status (*check)(const Baking& baking);
  // Writes the files, with their sidecars. The levels must have all parts. Returns the names.
  absl::StatusOr<std::vector<std::string>> (*write)(const Baking& baking,
                                                    const std::vector<BakedLevel>& levels);
  // In the files: for each layer of a raster; in other formats for all layers together.
  double bytes_per_vertex;
  // The ends of file names that stand for it, with spaces between.
  const char* endings = "";
  // The options that only it and few others take, with spaces between.
  const char* options = "";
  // The lists of layers that it can be written from; a server bakes the first one. Null: --layer
  // says which.
  LayerLists (*layers)(const BakeArguments& arguments, const WorldInfo& world) = nullptr;
  // The areas of the levels that it needs, that of the bake first. Null: only that one.
  std::vector<bake::Area> (*areas)(const Baking& baking) = nullptr;
  // Of rasters: the numbers, GDAL's driver (empty: the file has no header) and the bands.
  std::optional<raster_file::Sample> sample = {};
  const char* driver = "";
  int bands = 1;
  // Whether it can have layers whose numbers are packed: normals and the cover.
  bool has_packed = false;
  // Whether the import dialogs of engines read it.
  bool for_engines = false;
  bool on_planets = false;

  // Whether it has the weights of the cover's classes.
  constexpr bool IsOfCover() const { return sample == raster_file::Sample::kUint8; }
  constexpr bool IsRaw() const { return kind == BakeKind::kRaster && *driver == '\0'; }
  // Whether an option is among `options`.
  bool Has(const char* option) const;
};

const std::map<std::string, const BakeFormat*>& BakeFormatsByName();

// Returns the format of a file by the end of its name, else COG.
const BakeFormat& BakeFormatOf(const std::string& file);

// All formats for the help: "cog|contours|...", and a text of a few lines.
std::string BakeFormatNames();
std::string BakeFormatHelp();

// An option that formats refuse, and the rest of the sentence that says so.
struct OptionRule {
  const char* option;
  bool is_refused;
  const char* why;
};

// Returns the rules of a format, in the order in which they are checked.
std::vector<OptionRule> RulesOf(const BakeFormat& format);

// Formats in the words of errors.
inline constexpr char kFormatsOnPlanets[] =
    "a format for planets, not gpkg, contours, mbtiles, pmtiles or glb";
inline constexpr char kFormatsForEngines[] = "raw16, png16, splat or weights";
inline constexpr char kFormatsWithCover[] = "raw32, splat or weights";
inline constexpr char kFormatsWithNormals[] = "raw32";
inline constexpr char kLayersOfWeights[] = "cover for the formats splat and weights";

// INVALID_ARGUMENT, with the nearest valid sizes, unless the engine imports height maps of this
// size. Unity takes squares of 33 to 4,097 vertices, a power of two plus one (its manual, Terrain
// settings). Unreal takes whole sections and components (its manual, Landscape Technical Guide).
absl::Status CheckSizeFor(Engine engine, std::int64_t width, std::int64_t height);

// INVALID_ARGUMENT, with the nearest valid sizes, unless squares of `side` vertices that share
// their edge rows fill the region.
absl::Status CheckSquares(std::int64_t side, std::int64_t width, std::int64_t height);

// The functions of the table. Each format's are in the file of its writer.
absl::Status CheckRaster(const Baking& baking);
absl::StatusOr<std::vector<std::string>> WriteRasters(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels);
// Returns the bake's area; with --overviews levels, also those of the levels that its overviews are
// made from. An overview has half as many pixels as the one before, rounded up, and its area has
// one more vertex in a row, unless the face of a planet ends there.
std::vector<bake::Area> AreasOfOverviews(const Baking& baking);

LayerLists VectorLayers(const BakeArguments& arguments, const WorldInfo& world);
absl::Status CheckVectors(const Baking& baking);
absl::StatusOr<std::vector<std::string>> WriteVectors(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels);

LayerLists ContourLayers(const BakeArguments& arguments, const WorldInfo& world);
absl::Status CheckContours(const Baking& baking);
absl::StatusOr<std::vector<std::string>> WriteContours(const Baking& baking,
                                                       const std::vector<BakedLevel>& levels);

absl::Status CheckMbtiles(const Baking& baking);
absl::StatusOr<std::vector<std::string>> WriteMbtiles(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels);
absl::Status CheckPmtiles(const Baking& baking);
absl::StatusOr<std::vector<std::string>> WritePmtiles(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels);
// Returns the area and the tiles above it, level by level up to level 0.
std::vector<bake::Area> AreasOfPyramid(const Baking& baking);

// Where no --texture asks for a picture, --from also takes parts without the layers of one.
LayerLists MeshLayers(const BakeArguments& arguments, const WorldInfo& world);
absl::Status CheckMesh(const Baking& baking);
absl::StatusOr<std::vector<std::string>> WriteMesh(const Baking& baking,
                                                   const std::vector<BakedLevel>& levels);

}  // namespace thalweg::cli
