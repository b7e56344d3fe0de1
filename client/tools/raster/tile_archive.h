// Pyramids of map tiles in one file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thalweg::raster_file {

// A tile of an XYZ pyramid: rows are counted from the north.
struct ArchivedTile {
  int zoom = 0;
  std::int64_t column = 0;
  std::int64_t row = 0;
};

// A file of tiles. It gets its name in Finish, when it is complete.
class TileArchive {
 public:
  virtual ~TileArchive() = default;
  // Adds a tile; call it once for each tile.
  virtual absl::Status Add(const ArchivedTile& tile, const std::string& picture) = 0;
  virtual absl::Status Finish() = 0;
};

// Opens an SQLite file in the MBTiles 1.3 format. `metadata` are the rows of the table of that
// name.
absl::StatusOr<std::unique_ptr<TileArchive>> OpenMbtiles(
    const std::string& path, const std::vector<std::pair<std::string, std::string>>& metadata);

// What the header of a PMTiles archive says.
struct ArchiveMetadata {
  int min_zoom = 0;
  int max_zoom = 0;
  // West, south, east and north, in degrees.
  std::array<double, 4> bounds = {};
};

// Opens an archive in the PMTiles 3 format, of PNGs. `json` is its metadata, a JSON object.
absl::StatusOr<std::unique_ptr<TileArchive>> OpenPmtiles(const std::string& path,
                                                         const ArchiveMetadata& metadata,
                                                         const std::string& json);

}  // namespace thalweg::raster_file
