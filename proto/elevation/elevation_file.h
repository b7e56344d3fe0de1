// Real land for a world: a raster's heights and rivers, at its own resolution and coarser ones, in
// one file that is named by its hash. README.md beside this file describes the format.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace thalweg::elevation {

// Max values on a side of a plane, and max planes of one kind.
inline constexpr int kMaxSide = 10240;
inline constexpr int kMaxSheets = 21;

// What a plane of a sheet has at each vertex.
enum class Plane {
  // Height in 1/65,536 m.
  kGround,
  // The area that drains through the vertex, in the sheet's cells, including its own.
  kArea,
  // Where the vertex's water goes next, and how steep rivers are there: see PackedWay.
  kWay,
};
inline constexpr int kPlanes = 3;

// A direction is 0 to 7, clockwise from east where south is down, or kEnds: water goes no further.
// A steepness is a factor on that of the world's rivers, as 128 + 16 times its log2, 1 to 255.
inline constexpr int kEnds = 8;
constexpr std::int32_t PackedWay(int direction, int steepness) {
  return (steepness << 4) | direction;
}
constexpr int DirectionOf(std::int32_t way) { return way & 15; }
constexpr int SteepnessOf(std::int32_t way) { return (way >> 4) & 255; }

// The vertices of one resolution that lie on the raster.
struct SheetShape {
  // The raster's vertex of the north-west value; (0, 0) is the raster's middle.
  std::int32_t x0 = 0;
  std::int32_t y0 = 0;
  int width = 0;
  int height = 0;

  friend bool operator==(const SheetShape&, const SheetShape&) = default;
};

// Returns the sheet with every 2^step-th vertex of a raster of width x height vertices.
SheetShape ShapeOfSheet(int width, int height, int step);

struct Sheet {
  SheetShape shape;
  // width x height values each, rows from north to south.
  std::array<std::vector<std::int32_t>, kPlanes> planes;
};

// Encodes a file. The sheets are those of ShapeOfSheet for the steps 0, 1, ...; the same sheets
// give the same bytes. Aborts for other sheets.
std::string Encode(double cell_size_m, std::span<const Sheet> sheets);

// Returns the SHA-256 as 64 lower-case hexadecimal digits.
std::string HashOf(std::string_view bytes);

// Returns the name of the file with this hash: its first 16 digits and the ending.
std::string FileNameOf(std::string_view hash);

// A file that was read and checked completely. Immutable.
class ElevationFile {
 public:
  // DATA_LOSS for bytes that are not such a file, are cut off or were changed.
  static absl::StatusOr<std::shared_ptr<const ElevationFile>> Parse(std::string bytes);

  // The distance between the raster's vertices.
  double cell_size_m() const { return cell_size_m_; }
  int sheets() const { return static_cast<int>(shapes_.size()); }
  const SheetShape& shape(int sheet) const { return shapes_[static_cast<std::size_t>(sheet)]; }
  const std::string& hash() const { return hash_; }

  // Copies width x height values of a plane, from column `x` and row `y`. They must lie on the
  // sheet.
  void Read(int sheet, Plane plane, int x, int y, int width, int height,
            std::span<std::int32_t> values) const;

 private:
  struct Tile {
    std::size_t at = 0;
    std::size_t bytes = 0;
  };

  ElevationFile() = default;

  std::size_t TileIndex(int sheet, Plane plane, int column, int row) const;
  absl::Status Decode(const Tile& tile, int width, int height, Plane plane,
                      std::span<std::int32_t> values) const;
  absl::Status CheckTiles() const;

  std::string bytes_;
  std::string hash_;
  double cell_size_m_ = 0;
  std::vector<SheetShape> shapes_;
  // Where each sheet's tiles begin in tiles_.
  std::vector<std::size_t> first_tiles_;
  std::vector<Tile> tiles_;
};

}  // namespace thalweg::elevation
