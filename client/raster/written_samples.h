// What was written to a raster, to compare it with the file at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/raster/gdal.h"

namespace thalweg::raster_file {

// Remembers a hash of each rectangle of samples that was written.
class WrittenSamples {
 public:
  // A rectangle of a band. Bands are counted from 1, as in GDAL.
  struct Place {
    int band;
    int column;
    int row;
    int width;
    int height;
  };

  // `type`: GDAL's number of the samples' type, each of which has this many bytes.
  WrittenSamples(int type, std::size_t sample_bytes) : type_(type), sample_bytes_(sample_bytes) {}

  // Notes width x height samples, row by row.
  void Note(const Place& place, const void* samples);

  // Reads the file again. DATA_LOSS, with `shown` as its name, unless it has every sample.
  absl::Status Compare(const Gdal& gdal, const std::string& path, const std::string& shown) const;

 private:
  struct Rectangle {
    Place place;
    std::uint64_t hash;
  };

  std::size_t BytesOf(const Place& place) const;

  int type_;
  std::size_t sample_bytes_;
  std::vector<Rectangle> rectangles_;
};

}  // namespace thalweg::raster_file
