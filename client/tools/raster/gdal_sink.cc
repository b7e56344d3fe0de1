#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/raster/raster_sink.h"
#include "client/tools/raster/raster_source.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// What was written to a raster, to compare it with the file at the end.

// Samples of a band of a raster.
struct SampleRectangle {
  int column;
  int row;
  int width;
  int height;
};

// Remembers a hash of each rectangle of samples that was written.
class WrittenSamples {
 public:
  // `type`: GDAL's number of the samples' type, each of which has this many bytes.
  WrittenSamples(int type, std::size_t sample_bytes) : type_(type), sample_bytes_(sample_bytes) {}

  // Notes a rectangle's samples, row by row. Bands are counted from 1, as in GDAL.
  void Note(int band, const SampleRectangle& place, const void* samples);

  // Reads the file again. DATA_LOSS, with `shown` as its name, unless it has every sample.
  absl::Status Compare(const Gdal& gdal, const std::string& path, const std::string& shown) const;

 private:
  struct Noted {
    int band;
    SampleRectangle place;
    std::uint64_t hash;
  };

  std::size_t BytesOf(const SampleRectangle& place) const;

  int type_;
  std::size_t sample_bytes_;
  std::vector<Noted> noted_;
};

std::size_t WrittenSamples::BytesOf(const SampleRectangle& place) const {
  return sample_bytes_ * static_cast<std::size_t>(place.width) *
         static_cast<std::size_t>(place.height);
}

void WrittenSamples::Note(int band, const SampleRectangle& place, const void* samples) {
  noted_.push_back({band, place, XXH3_64bits(samples, BytesOf(place))});
}

absl::Status WrittenSamples::Compare(const Gdal& gdal, const std::string& path,
                                     const std::string& shown) const {
  const QuietErrors errors(gdal);
  const auto loss = [&](const std::string& why) {
    return absl::DataLossError(absl::StrCat("write '", shown, "': ", why));
  };
  constexpr unsigned kRasterOnly = 2;  // GDAL_OF_RASTER, only to read
  void* const dataset = gdal.OpenEx(path.c_str(), kRasterOnly, nullptr, nullptr, nullptr);
  if (dataset == nullptr) return loss("the written file can't be read: " + errors.Last());
  // From the north: a PNG can only be read row by row.
  std::vector<Noted> sorted = noted_;
  std::ranges::sort(sorted, {}, [](const Noted& one) {
    return std::tuple(one.band, one.place.row, one.place.column);
  });
  std::vector<std::uint8_t> samples;
  absl::Status status;
  for (const auto& [band, place, hash] : sorted) {
    samples.resize(BytesOf(place));
    const int failed =
        gdal.RasterIO(gdal.GetRasterBand(dataset, band), 0, place.column, place.row, place.width,
                      place.height, samples.data(), place.width, place.height, type_, 0, 0);
    if (failed == 0 && XXH3_64bits(samples.data(), samples.size()) == hash) continue;
    const std::string why = failed != 0 ? errors.Last() : "it has other values than were written";
    status = loss(absl::StrCat("the written file is wrong at column ", place.column, ", row ",
                               place.row, ": ", why));
    break;
  }
  gdal.Close(dataset);
  return status;
}

// Constants of GDAL 3.
constexpr int kUint16 = 2;
constexpr int kInt32 = 5;

// GDAL's options for a compression: those of GTiff, and those of COG, which has other names.
struct CompressionOptions {
  std::array<const char*, 3> tiff;
  std::array<const char*, 3> cog;
};

// In the order of Compression. Every reader of GeoTIFF knows Deflate; Zstandard is faster, but
// browsers and older programs lack it.
constexpr std::array<CompressionOptions, 4> kCompressions = {{
    {{"COMPRESS=DEFLATE", "ZLEVEL=6", "PREDICTOR=2"},
     {"COMPRESS=DEFLATE", "LEVEL=6", "PREDICTOR=YES"}},
    {{"COMPRESS=ZSTD", "ZSTD_LEVEL=1", "PREDICTOR=2"},
     {"COMPRESS=ZSTD", "LEVEL=1", "PREDICTOR=YES"}},
    {{"COMPRESS=LERC", "MAX_Z_ERROR=0"}, {"COMPRESS=LERC", "MAX_Z_ERROR=0"}},
    {{"COMPRESS=NONE"}, {"COMPRESS=NONE"}},
}};

// Returns GDAL's options, with a null pointer at the end: tiles, so that parts are read quickly;
// more than 4 GB where needed. Without a compression, they are for the temporary file that other
// formats are copied from.
std::vector<const char*> TiffOptions(std::optional<Compression> compression) {
  std::vector<const char*> options = {"TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512",
                                      "BIGTIFF=IF_SAFER"};
  if (compression) {
    options.push_back("NUM_THREADS=ALL_CPUS");
    const auto& own = kCompressions[static_cast<std::size_t>(*compression)].tiff;
    options.insert(options.end(), own.begin(), own.end());
  }
  options.push_back(nullptr);
  return options;
}

std::vector<const char*> CogOptions(Compression compression) {
  std::vector<const char*> options = {"BIGTIFF=IF_SAFER", "NUM_THREADS=ALL_CPUS"};
  const auto& own = kCompressions[static_cast<std::size_t>(compression)].cog;
  options.insert(options.end(), own.begin(), own.end());
  options.push_back(nullptr);
  return options;
}

// A COG's last overview is as small as one of its tiles.
constexpr std::int64_t kTileSide = 512;
// GDAL would write a PNG's metadata to another file beside it.
constexpr int kMaxPngSide = 1'000'000;

int TypeOf(Sample sample) {
  if (sample == Sample::kUint8) return Gdal::kByte;
  if (sample == Sample::kUint16) return kUint16;
  return sample == Sample::kInt32 ? kInt32 : Gdal::kFloat32;
}

std::size_t BytesOf(Sample sample) {
  if (sample == Sample::kUint8) return 1;
  return sample == Sample::kUint16 ? 2 : 4;
}

absl::Status Failed(const std::string& operation, const std::string& path,
                    const QuietErrors& errors) {
  return absl::UnknownError(absl::StrCat(operation, " '", path, "': ", errors.Last()));
}

class GdalSink : public RasterSink {
 public:
  GdalSink(const Gdal& gdal, RasterDescription raster, std::string driver, Sample sample)
      : gdal_(gdal),
        raster_(std::move(raster)),
        driver_(std::move(driver)),
        sample_(sample),
        written_(TypeOf(sample), BytesOf(sample)) {}

  ~GdalSink() override {
    if (dataset_ == nullptr) return;
    const QuietErrors errors(gdal_);
    gdal_.Close(dataset_);
  }
  GdalSink(const GdalSink&) = delete;
  GdalSink& operator=(const GdalSink&) = delete;

  absl::Status Open() {
    const QuietErrors errors(gdal_);
    THALWEG_ASSIGN_OR_RETURN(folder_, files::TemporaryFolder::Create(raster_.path));
    whole_ = folder_->Path("whole.tif");
    const std::vector<const char*> options =
        TiffOptions(driver_ == "GTiff" ? std::optional(raster_.compression) : std::nullopt);
    dataset_ = gdal_.Create(gdal_.GetDriverByName("GTiff"), whole_.c_str(),
                            static_cast<int>(raster_.width), static_cast<int>(raster_.height),
                            raster_.bands, TypeOf(sample_), options.data());
    if (dataset_ == nullptr) return Failed("create", raster_.path, errors);
    THALWEG_RETURN_IF_ERROR(Place(errors));
    for (const auto& [name, value] : raster_.metadata) {
      gdal_.SetMetadataItem(dataset_, name.c_str(), value.c_str(), nullptr);
    }
    gdal_.SetMetadataItem(dataset_, "AREA_OR_POINT", "Point", nullptr);
    void* const band = gdal_.GetRasterBand(dataset_, 1);
    gdal_.SetDescription(band, raster_.layer.c_str());
    if (sample_ == Sample::kFloat32) gdal_.SetRasterUnitType(band, raster_.unit.c_str());
    if (driver_ != "COG" || raster_.overviews != Overviews::kGiven) return absl::OkStatus();
    return AddOverviews("NONE", raster_.given_overviews, errors);
  }

  absl::Status Write(std::int64_t column, std::int64_t row, int width, int height,
                     std::span<const std::int32_t> values, int band_number) override {
    const QuietErrors errors(gdal_);
    const SampleRectangle place = RectangleOf(column, row, width, height);
    const void* const samples = Converted(values);
    THALWEG_RETURN_IF_ERROR(
        WriteTo(gdal_.GetRasterBand(dataset_, band_number + 1), place, samples, errors));
    written_.Note(band_number + 1, place, samples);
    return absl::OkStatus();
  }

  // Overviews are not compared at the end: the samples that they are means of are.
  absl::Status WriteOverview(int overview, std::int64_t column, std::int64_t row, int width,
                             int height, std::span<const std::int32_t> values,
                             int band_number) override {
    const QuietErrors errors(gdal_);
    void* const band =
        gdal_.GetOverview(gdal_.GetRasterBand(dataset_, band_number + 1), overview - 1);
    if (band == nullptr) return Failed("write an overview of", raster_.path, errors);
    return WriteTo(band, RectangleOf(column, row, width, height), Converted(values), errors);
  }

  absl::Status Finish() override {
    const QuietErrors errors(gdal_);
    std::string finished = whole_;
    absl::Status closed;
    if (driver_ == "COG" && raster_.overviews == Overviews::kMeans) {
      THALWEG_RETURN_IF_ERROR(AddOverviews("AVERAGE", Halvings(), errors));
    }
    if (driver_ != "GTiff") {
      finished = folder_->Path("finished");
      const std::vector<const char*> options = CogOptions(raster_.compression);
      void* const copy =
          gdal_.CreateCopy(gdal_.GetDriverByName(driver_.c_str()), finished.c_str(), dataset_, 0,
                           driver_ == "COG" ? options.data() : nullptr, nullptr, nullptr);
      if (copy == nullptr) return Failed("write", raster_.path, errors);
      // The metadata file that GDAL puts beside a PNG stays in the folder: the bake's sidecar has
      // the same.
      closed = CloseWritten(gdal_, copy, finished, raster_.path);
    }
    const absl::Status whole =
        CloseWritten(gdal_, std::exchange(dataset_, nullptr), whole_, raster_.path);
    if (finished != whole_) unlink(whole_.c_str());
    if (closed.ok()) closed = whole;
    if (closed.ok()) closed = written_.Compare(gdal_, finished, raster_.path);
    if (closed.ok()) closed = files::NameFinished(finished, raster_.path);
    folder_.reset();
    return closed;
  }

 private:
  // A raster that GDAL can write has fewer than 2^31 columns and rows.
  static SampleRectangle RectangleOf(std::int64_t column, std::int64_t row, int width, int height) {
    return {static_cast<int>(column), static_cast<int>(row), width, height};
  }

  // Returns the values as the file's samples, which stay there until the next call.
  const void* Converted(std::span<const std::int32_t> values) {
    floats_.clear();
    shorts_.clear();
    bytes_.clear();
    switch (sample_) {
      case Sample::kFloat32:
        for (const std::int32_t value : values) {
          floats_.push_back(static_cast<float>(value * raster_.scale));
        }
        return floats_.data();
      case Sample::kUint16:
        for (const std::int32_t value : values) {
          shorts_.push_back(Quantised(value, raster_.min, raster_.max));
        }
        return shorts_.data();
      case Sample::kUint8:
        for (const std::int32_t value : values) {
          bytes_.push_back(static_cast<std::uint8_t>(std::clamp(value, 0, 255)));
        }
        return bytes_.data();
      case Sample::kInt32:
        break;
    }
    return values.data();
  }

  absl::Status WriteTo(void* band, const SampleRectangle& place, const void* samples,
                       const QuietErrors& errors) {
    const int failed = gdal_.RasterIO(band, Gdal::kWrite, place.column, place.row, place.width,
                                      place.height, const_cast<void*>(samples), place.width,
                                      place.height, TypeOf(sample_), 0, 0);
    return failed == 0 ? absl::OkStatus() : Failed("write", raster_.path, errors);
  }

  // Returns how many halvings make the raster as small as a tile.
  int Halvings() const {
    int halvings = 0;
    while ((std::max(raster_.width, raster_.height) >> halvings) > kTileSide) ++halvings;
    return halvings;
  }

  absl::Status AddOverviews(const char* resampling, int count, const QuietErrors& errors) {
    std::vector<int> factors;
    for (int i = 1; i <= count; ++i) factors.push_back(1 << i);
    if (factors.empty()) return absl::OkStatus();
    const int failed = gdal_.BuildOverviews(dataset_, resampling, count, factors.data(), 0, nullptr,
                                            nullptr, nullptr);
    return failed == 0 ? absl::OkStatus() : Failed("write overviews of", raster_.path, errors);
  }

  // Sets the raster's position. Vertices are points, so a pixel's middle is its vertex.
  absl::Status Place(const QuietErrors& errors) {
    const bool has_spacing = raster_.place && raster_.place->spacing > 0;
    const double cell = has_spacing ? raster_.place->spacing : raster_.cell_size_m;
    const double east = raster_.place ? raster_.place->east : raster_.east_m;
    const double north = raster_.place ? raster_.place->north : -raster_.south_m;
    const std::array<double, 6> transform = {east - cell / 2, cell, 0, north + cell / 2, 0, -cell};
    gdal_.SetGeoTransform(dataset_, transform.data());
    if (raster_.place && raster_.place->crs.empty()) return absl::OkStatus();
    THALWEG_ASSIGN_OR_RETURN(void* const reference, OpenReference(gdal_, raster_.place, errors));
    gdal_.SetSpatialRef(dataset_, reference);
    gdal_.DestroySpatialReference(reference);
    return absl::OkStatus();
  }

  const Gdal& gdal_;
  RasterDescription raster_;
  std::string driver_;
  Sample sample_;
  std::unique_ptr<files::TemporaryFolder> folder_;
  // A GeoTIFF in it, from which files of other formats are copied.
  std::string whole_;
  void* dataset_ = nullptr;
  std::vector<float> floats_;
  std::vector<std::uint16_t> shorts_;
  std::vector<std::uint8_t> bytes_;
  WrittenSamples written_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RasterSink>> OpenGdal(const RasterDescription& raster,
                                                     const std::string& driver, Sample sample) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  const std::int64_t max = driver == "PNG" ? kMaxPngSide : std::numeric_limits<int>::max();
  if (raster.width > max || raster.height > max) {
    return wire::Invalid("size", absl::StrCat("max ", max, " pixels on a side for ", driver),
                         absl::StrCat(raster.width, " x ", raster.height));
  }
  gdal->AllRegister();
  auto sink = std::make_unique<GdalSink>(*gdal, raster, driver, sample);
  THALWEG_RETURN_IF_ERROR(sink->Open());
  return sink;
}

}  // namespace thalweg::raster_file
