#include "client/raster/written_samples.h"

#include <xxhash.h>

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "client/raster/quiet_errors.h"

namespace thalweg::raster_file {

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

}  // namespace thalweg::raster_file
