// What was written to a raster, to compare it with the file at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/raster/gdal.h"

namespace thalweg::raster_file {

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

}  // namespace thalweg::raster_file
