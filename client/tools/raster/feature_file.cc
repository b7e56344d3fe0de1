#include "client/tools/raster/feature_file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/raster/raster_source.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
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

// Constants of GDAL 3: types of geometries and of fields.
constexpr unsigned kPolygon = 3;
constexpr unsigned kLineWithHeights = 0x80000002;
constexpr int kReal = 2;
constexpr int kInteger = 12;
// In well-known binary.
constexpr std::uint32_t kLineZ = 1002;

template <typename Value>
void Append(std::string& bytes, Value value) {
  static_assert(std::is_arithmetic_v<Value>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendPath(std::string& bytes, const std::vector<FeaturePoint>& path, bool with_heights) {
  Append(bytes, static_cast<std::uint32_t>(path.size()));
  for (const FeaturePoint& point : path) {
    Append(bytes, point.east);
    Append(bytes, point.north);
    if (with_heights) Append(bytes, point.up);
  }
}

// Returns well-known binary (OGC 06-103r4), little-endian.
std::string WkbOf(FeatureShape shape, const Feature& feature) {
  std::string bytes(1, '\1');
  if (shape == FeatureShape::kLine) {
    Append(bytes, kLineZ);
    AppendPath(bytes, feature.paths.front(), true);
    return bytes;
  }
  Append(bytes, std::uint32_t{kPolygon});
  Append(bytes, static_cast<std::uint32_t>(feature.paths.size()));
  for (const auto& ring : feature.paths) AppendPath(bytes, ring, false);
  return bytes;
}

class GeoPackage : public FeatureFile {
 public:
  GeoPackage(const Gdal& gdal, FeatureFileDescription description)
      : gdal_(gdal), description_(std::move(description)) {}

  ~GeoPackage() override {
    if (dataset_ == nullptr) return;
    const QuietErrors errors(gdal_);
    gdal_.Close(dataset_);
  }
  GeoPackage(const GeoPackage&) = delete;
  GeoPackage& operator=(const GeoPackage&) = delete;

  absl::Status Open() {
    const QuietErrors errors(gdal_);
    THALWEG_ASSIGN_OR_RETURN(folder_, files::TemporaryFolder::Create(description_.path));
    unfinished_ = folder_->Path("whole.gpkg");
    constexpr int kNoRaster = 0;
    THALWEG_ASSIGN_OR_RETURN(void* const reference,
                             OpenReference(gdal_, description_.place, errors));
    dataset_ = gdal_.Create(gdal_.GetDriverByName("GPKG"), unfinished_.c_str(), kNoRaster,
                            kNoRaster, kNoRaster, kNoRaster, nullptr);
    absl::Status opened = dataset_ == nullptr ? Failed("create", errors) : absl::OkStatus();
    for (const FeatureLayer& layer : description_.layers) {
      if (opened.ok()) opened = Create(layer, reference, errors);
    }
    gdal_.DestroySpatialReference(reference);
    THALWEG_RETURN_IF_ERROR(opened);
    for (const auto& [name, value] : description_.metadata) {
      gdal_.SetMetadataItem(dataset_, name.c_str(), value.c_str(), nullptr);
    }
    constexpr int kOnlyIfCheap = 0;
    return gdal_.StartTransaction(dataset_, kOnlyIfCheap) == 0 ? absl::OkStatus()
                                                               : Failed("write", errors);
  }

  absl::Status Add(std::size_t number, const Feature& feature) override {
    const QuietErrors errors(gdal_);
    void* const layer = layers_[number];
    const std::string wkb = WkbOf(description_.layers[number].shape, feature);
    void* geometry = nullptr;
    if (gdal_.ReadWkb(wkb.data(), nullptr, &geometry, static_cast<int>(wkb.size())) != 0) {
      return Failed("write", errors);
    }
    void* const row = gdal_.NewFeature(gdal_.GetLayerDefinition(layer));
    gdal_.SetFeatureId(row, feature.id);
    for (int field = 0; const FeatureValue& value : feature.values) {
      if (const auto* const real = std::get_if<double>(&value)) gdal_.SetReal(row, field, *real);
      if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
        gdal_.SetInteger(row, field, *whole);
      }
      ++field;
    }
    gdal_.SetGeometry(row, geometry);
    const bool added = gdal_.AddFeature(layer, row) == 0;
    gdal_.DestroyFeature(row);
    return added ? absl::OkStatus() : Failed("write", errors);
  }

  absl::Status Finish() override {
    const QuietErrors errors(gdal_);
    if (gdal_.CommitTransaction(dataset_) != 0) return Failed("write", errors);
    absl::Status closed =
        CloseWritten(gdal_, std::exchange(dataset_, nullptr), unfinished_, description_.path);
    return closed.ok() ? files::NameFinished(unfinished_, description_.path) : closed;
  }

 private:
  absl::Status Failed(const std::string& operation, const QuietErrors& errors) const {
    return absl::UnknownError(
        absl::StrCat(operation, " '", description_.path, "': ", errors.Last()));
  }

  absl::Status Create(const FeatureLayer& layer, void* reference, const QuietErrors& errors) {
    const unsigned geometry = layer.shape == FeatureShape::kLine ? kLineWithHeights : kPolygon;
    void* const created = gdal_.CreateLayer(dataset_, layer.name.c_str(), reference,
                                            static_cast<int>(geometry), nullptr);
    if (created == nullptr) return Failed("create", errors);
    layers_.push_back(created);
    for (const FeatureField& field : layer.fields) {
      constexpr int kExactly = 0;
      void* const definition =
          gdal_.NewField(field.name.c_str(), field.is_integer ? kInteger : kReal);
      const bool added = gdal_.AddField(created, definition, kExactly) == 0;
      gdal_.DestroyField(definition);
      if (!added) return Failed("create", errors);
    }
    return absl::OkStatus();
  }

  const Gdal& gdal_;
  FeatureFileDescription description_;
  std::unique_ptr<files::TemporaryFolder> folder_;
  std::string unfinished_;
  void* dataset_ = nullptr;
  std::vector<void*> layers_;
};

}  // namespace

absl::Status CheckContourTiles() {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  gdal->AllRegister();
  if (gdal->GetDriverByName("MVT") != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "write vector tiles: this GDAL lacks the driver MVT: bake contours as GeoJSON");
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

absl::StatusOr<std::unique_ptr<FeatureFile>> OpenGeoPackage(
    const FeatureFileDescription& description) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  gdal->AllRegister();
  auto file = std::make_unique<GeoPackage>(*gdal, description);
  THALWEG_RETURN_IF_ERROR(file->Open());
  return file;
}

}  // namespace thalweg::raster_file
