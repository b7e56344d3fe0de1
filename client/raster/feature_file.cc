#include "client/raster/feature_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <type_traits>

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
    gdal_.TakeGeometry(row, geometry);
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

absl::StatusOr<std::unique_ptr<FeatureFile>> OpenGeoPackage(
    const FeatureFileDescription& description) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  gdal->AllRegister();
  auto file = std::make_unique<GeoPackage>(*gdal, description);
  THALWEG_RETURN_IF_ERROR(file->Open());
  return file;
}

}  // namespace thalweg::raster_file
