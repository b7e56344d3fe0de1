// Real land in a world: heights and rivers of a raster that take the place of a level's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "proto/elevation/elevation_file.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

using ElevationFilePointer = std::shared_ptr<const elevation::ElevationFile>;

// Finds the elevation file with a hash. NOT_FOUND names the places that were searched.
using FindElevation = std::function<absl::StatusOr<ElevationFilePointer>(const std::string& hash)>;

// Returns a function that finds files in the folder by hash. It may be called by any thread and
// waits for the disk; a file in use is not read again. NOT_FOUND names a missing file, DATA_LOSS
// one that is damaged or does not match its name.
FindElevation ElevationsOf(const std::filesystem::path& folder);

// Real land of one world. Immutable. Levels from 0 to level() take its heights and rivers: see
// shaders/stages/elevation.comp. It blends in from its edge inwards. Level 0 has it fully inside
// the edge, and slopes down to the base outside.
class Elevation {
 public:
  // Values of a square of vertices, for the device: a plane of heights, one of rivers (packedRiver;
  // 0 outside), and one of weights, from 0 to kWhole.
  static constexpr int kPlanes = 3;
  static constexpr std::int32_t kWhole = 65536;

  // INVALID_ARGUMENT if the file's cells or its sheets differ from the specification's, which must
  // have passed Normalise.
  static absl::StatusOr<std::shared_ptr<const Elevation>> Create(const v1::WorldSpec& spec,
                                                                 ElevationFilePointer file);

  // The level whose cells have the size of the raster's.
  int level() const { return level_; }

  // Writes the planes of side x side vertices of a level, 0 to level(), whose first is (x, y).
  void Fill(int level, std::int64_t x, std::int64_t y, int side,
            std::span<std::int32_t> values) const;

 private:
  // The part of the raster near some vertices of a level.
  struct Excerpt;

  Elevation(ElevationFilePointer file, int level, double blend_cells)
      : file_(std::move(file)), level_(level), blend_cells_(blend_cells) {}

  // How far beyond the raster level 0 has weights, in the raster's cells. Finer levels have none
  // there.
  double Outwards() const;
  // Whether a level's square has a vertex with a weight.
  bool Touches(int level, std::int64_t x, std::int64_t y, int side) const;
  Excerpt Read(int level, std::int64_t x, std::int64_t y, int side) const;
  std::int32_t WeightAt(int level, std::int64_t x, std::int64_t y) const;
  std::int32_t RiverAt(int level, std::int64_t x, std::int64_t y, std::int32_t area,
                       std::int32_t way) const;

  const ElevationFilePointer file_;
  const int level_;
  // In cells of the raster.
  const double blend_cells_;
};

}  // namespace thalweg::world
