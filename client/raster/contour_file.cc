#include "client/raster/contour_file.h"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/raster/gdal.h"
#include "client/raster/gdal_file.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/spatial_reference.h"
#include "proto/files/temporary.h"
#include "proto/files/whole_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// Numbers of GDAL 3: a field of whole numbers, one of real ones, and a layer of lines.
constexpr int kIntegerField = 0;
constexpr int kRealField = 2;
constexpr int kLines = 2;

absl::Status Failed(const std::string& path, const QuietErrors& errors) {
  return absl::UnknownError(absl::StrCat("write contours '", path, "': ", errors.Last()));
}

// The heights as a raster in memory, whose pixels are around vertices.
absl::StatusOr<Dataset> RasterOf(const Gdal& gdal, const ContourDescription& description,
                                 void* reference, std::span<const std::int32_t> heights, int width,
                                 int height, const QuietErrors& errors) {
  std::vector<float> heights_m;
  heights_m.reserve(heights.size());
  for (const std::int32_t value : heights) heights_m.push_back(static_cast<float>(value / 65536.0));
  Dataset raster = CreateInMemory(gdal, width, height, Gdal::kFloat32);
  if (raster == nullptr) return Failed(description.path, errors);
  const double spacing = description.spacing;
  const std::array<double, 6> transform = {description.east - spacing / 2,  spacing, 0,
                                           description.north + spacing / 2, 0,       -spacing};
  const bool written =
      gdal.SetGeoTransform(raster.get(), transform.data()) == 0 &&
      (reference == nullptr || gdal.SetSpatialRef(raster.get(), reference) == 0) &&
      gdal.RasterIO(gdal.GetRasterBand(raster.get(), 1), Gdal::kWrite, 0, 0, width, height,
                    heights_m.data(), width, height, Gdal::kFloat32, 0, 0) == 0;
  if (!written) return Failed(description.path, errors);
  return raster;
}

// Adds the layer's fields: a number, and the height.
bool AddFields(const Gdal& gdal, void* layer) {
  constexpr int kExactly = 0;
  for (const auto& [name, type] : {std::pair("id", kIntegerField), {"height_m", kRealField}}) {
    void* const field = gdal.NewField(name, type);
    const bool added = gdal.AddField(layer, field, kExactly) == 0;
    gdal.DestroyField(field);
    if (!added) return false;
  }
  return true;
}

// Creates the file and writes it, up to closing it.
absl::StatusOr<void*> Fill(const Gdal& gdal, const ContourDescription& description,
                           const std::string& unfinished, void* reference, void* raster,
                           const QuietErrors& errors) {
  const bool is_tiles = description.tiles.has_value();
  const Zooms zooms = description.tiles.value_or(Zooms{});
  const std::string min_zoom = absl::StrCat("MINZOOM=", zooms.min);
  const std::string max_zoom = absl::StrCat("MAXZOOM=", zooms.max);
  const std::string name = absl::StrCat("NAME=", description.name);
  const std::array<const char*, 5> of_tiles = {"FORMAT=MBTILES", name.c_str(), min_zoom.c_str(),
                                               max_zoom.c_str(), nullptr};
  const std::array<const char*, 2> of_lines = {
      description.place ? "RFC7946=YES" : "COORDINATE_PRECISION=3", nullptr};
  void* const dataset =
      gdal.Create(gdal.GetDriverByName(is_tiles ? "MVT" : "GeoJSON"), unfinished.c_str(), 0, 0, 0,
                  0, is_tiles ? of_tiles.data() : nullptr);
  if (dataset == nullptr) return Failed(description.path, errors);
  const std::string interval = absl::StrCat("LEVEL_INTERVAL=", description.interval_m);
  const std::array<const char*, 4> options = {interval.c_str(), "ID_FIELD=0", "ELEV_FIELD=1",
                                              nullptr};
  void* const layer = gdal.CreateLayer(dataset, "contours", reference, kLines,
                                       is_tiles ? nullptr : of_lines.data());
  const bool done = layer != nullptr && AddFields(gdal, layer) &&
                    gdal.GenerateContours(gdal.GetRasterBand(raster, 1), layer, options.data(),
                                          nullptr, nullptr) == 0;
  if (done) return dataset;
  absl::Status failed = Failed(description.path, errors);
  gdal.Close(dataset);
  return failed;
}

// Writes a file of GDAL's memory to the disk.
absl::Status WriteTaken(const Gdal& gdal, const std::string& memory, const std::string& path,
                        const QuietErrors& errors) {
  unsigned long long bytes = 0;
  constexpr int kForget = 1;
  std::uint8_t* const text = gdal.TakeMemoryFile(memory.c_str(), &bytes, kForget);
  if (text == nullptr) return Failed(path, errors);
  absl::Status written = files::WriteWhole(
      path, {reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes)});
  gdal.Free(text);
  return written;
}

}  // namespace

absl::Status CheckContourTiles() {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  gdal->AllRegister();
  if (gdal->GetDriverByName("MVT") != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "write vector tiles: expected a GDAL with the driver MVT, got one without: bake contours as "
      "GeoJSON");
}

absl::Status WriteContours(const ContourDescription& description,
                           std::span<const std::int32_t> heights, int width, int height) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  gdal->AllRegister();
  const QuietErrors errors(*gdal);
  void* reference = nullptr;
  if (description.place) {
    THALWEG_ASSIGN_OR_RETURN(reference, OpenReference(*gdal, description.place, errors));
  }
  const auto written = [&]() -> absl::Status {
    // GDAL tells of no error when it writes GeoJSON, so it writes that into memory.
    std::string unfinished = absl::StrCat("/vsimem/thalweg-contours-", getpid(), ".json");
    std::unique_ptr<files::TemporaryFolder> folder;
    if (description.tiles) {
      THALWEG_ASSIGN_OR_RETURN(folder, files::TemporaryFolder::Create(description.path));
      unfinished = folder->Path("whole.mbtiles");
    }
    THALWEG_ASSIGN_OR_RETURN(const Dataset raster, RasterOf(*gdal, description, reference, heights,
                                                            width, height, errors));
    THALWEG_ASSIGN_OR_RETURN(void* const dataset,
                             Fill(*gdal, description, unfinished, reference, raster.get(), errors));
    if (description.tiles) {
      THALWEG_RETURN_IF_ERROR(CloseWritten(*gdal, dataset, unfinished, description.path));
      return files::NameFinished(unfinished, description.path);
    }
    gdal->Close(dataset);
    return WriteTaken(*gdal, unfinished, description.path, errors);
  };
  const absl::Status status = written();
  if (reference != nullptr) gdal->DestroySpatialReference(reference);
  return status;
}

}  // namespace thalweg::raster_file
