#include "server/world/elevation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::world {
namespace {

using elevation::Plane;
using elevation::SheetShape;

// Rises from 0 to 1 as t does, with slope 0 at both ends.
double Smooth(double t) {
  const double part = std::clamp(t, 0.0, 1.0);
  return part * part * (3.0 - 2.0 * part);
}

// Outside the raster a height is the mean over this many vertices on each side of the nearest one,
// at most kMaxApart cells apart.
constexpr int kEdgeReach = 2;
constexpr int kMaxApart = 8;
// Outside, the real land slopes down to the base over this part of the raster's shorter side, or
// over kOutwardsCells cells of level 0 if that is more.
constexpr double kOutwards = 0.5;
constexpr double kOutwardsCells = 4;

struct Step {
  int dx;
  int dy;
};
// The step of each direction.
constexpr std::array<Step, 8> kSteps = {
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

constexpr std::uintmax_t kLargestElevationBytes = std::uintmax_t{2} << 30;

// Callers read these errors too, so they name the file but not its folder.
absl::Status ErrorOf(const std::filesystem::path& path, const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat("invalid elevation file ", path.filename().string(), ": ", status.message()));
}

absl::StatusOr<ElevationFilePointer> ReadElevation(const std::filesystem::path& path,
                                                   const std::string& hash) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    return ErrorOf(
        path, absl::NotFoundError(absl::StrCat(
                  error.message(), "; it belongs beside the world, as `thalweg import` wrote it")));
  }
  if (size > kLargestElevationBytes) {
    return ErrorOf(path, absl::DataLossError(absl::StrCat("expected max ", kLargestElevationBytes,
                                                          " bytes, got ", size)));
  }
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file) return ErrorOf(path, absl::UnavailableError("cannot read the file"));
  absl::StatusOr<ElevationFilePointer> parsed = elevation::ElevationFile::Parse(std::move(bytes));
  if (!parsed.ok()) return ErrorOf(path, parsed.status());
  if ((*parsed)->hash() == hash) return parsed;
  return ErrorOf(path, absl::DataLossError(
                           absl::StrCat("expected SHA-256 ", hash, ", got ", (*parsed)->hash())));
}

// The elevation files of a folder, by their hashes. Thread-safe.
class ElevationFolder {
 public:
  explicit ElevationFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  absl::StatusOr<ElevationFilePointer> Find(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(hash); known != known_.end()) {
      if (ElevationFilePointer file = known->second.lock()) return file;
    }
    THALWEG_ASSIGN_OR_RETURN(ElevationFilePointer file,
                             ReadElevation(folder_ / elevation::FileNameOf(hash), hash));
    known_[hash] = file;
    return file;
  }

 private:
  const std::filesystem::path folder_;
  std::mutex mutex_;
  // Only files that were found are in it.
  std::map<std::string, std::weak_ptr<const elevation::ElevationFile>> known_;
};

}  // namespace

FindElevation ElevationsOf(const std::filesystem::path& folder) {
  return [files = std::make_shared<ElevationFolder>(folder)](const std::string& hash) {
    return files->Find(hash);
  };
}

absl::StatusOr<std::shared_ptr<const Elevation>> Elevation::Create(const v1::WorldSpec& spec,
                                                                   ElevationFilePointer file) {
  const int level = static_cast<int>(spec.elevation().level());
  const double cell_size_m = std::ldexp(spec.cell_size_m(), -level);
  if (cell_size_m != file->cell_size_m()) {
    return wire::Invalid(
        "elevation.level",
        absl::StrCat("the level with the elevation file's cells of ",
                     text::Decimal(file->cell_size_m()), " m"),
        absl::StrCat(level, ", whose cells have ", text::Decimal(cell_size_m), " m"));
  }
  if (file->sheets() != level + 1) {
    return wire::Invalid("elevation.level",
                         absl::StrCat(file->sheets() - 1, ", since the elevation file has ",
                                      file->sheets(), " sheets"),
                         level);
  }
  const double blend_cells = std::max(spec.elevation().blend_m() / cell_size_m, 1.0);
  return std::shared_ptr<const Elevation>(new Elevation(std::move(file), level, blend_cells));
}

// A rectangle of a sheet, in the level's vertices.
struct Elevation::Excerpt {
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t x1 = 0;  // the last column and row
  std::int64_t y1 = 0;
  std::array<std::vector<std::int32_t>, elevation::kPlanes> planes;

  // The index of the vertex, or of the nearest one in the rectangle.
  std::size_t IndexOf(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((std::clamp(y, y0, y1) - y0) * (x1 - x0 + 1) +
                                    std::clamp(x, x0, x1) - x0);
  }
  // The height outside the raster: the mean of heights around the nearest vertex. The farther away
  // the place is, the farther apart they are; else valleys would go on in straight lines.
  std::int32_t EdgeHeight(std::int64_t x, std::int64_t y) const {
    const std::int64_t column = std::clamp(x, x0, x1);
    const std::int64_t row = std::clamp(y, y0, y1);
    const std::int64_t away = std::max(std::abs(x - column), std::abs(y - row));
    const std::int64_t apart = std::min<std::int64_t>(1 + away / 2, kMaxApart);
    std::int64_t sum = 0;
    for (int dy = -kEdgeReach; dy <= kEdgeReach; ++dy) {
      for (int dx = -kEdgeReach; dx <= kEdgeReach; ++dx) {
        sum += planes[0][IndexOf(column + dx * apart, row + dy * apart)];
      }
    }
    constexpr std::int64_t kCount = (2 * kEdgeReach + 1) * (2 * kEdgeReach + 1);
    return static_cast<std::int32_t>(sum / kCount);
  }
};

// Reads the sheet's vertices near the square: at least one, even if the square is outside.
Elevation::Excerpt Elevation::Read(int level, std::int64_t x, std::int64_t y, int side) const {
  const int step = level_ - level;
  const SheetShape& shape = file_->shape(step);
  const std::int64_t last_x = shape.x0 + shape.width - 1;
  const std::int64_t last_y = shape.y0 + shape.height - 1;
  const auto in_x = [&](std::int64_t at) { return std::clamp<std::int64_t>(at, shape.x0, last_x); };
  const auto in_y = [&](std::int64_t at) { return std::clamp<std::int64_t>(at, shape.y0, last_y); };
  constexpr int kMargin = kEdgeReach * kMaxApart;
  Excerpt read{in_x(in_x(x) - kMargin),
               in_y(in_y(y) - kMargin),
               in_x(in_x(x + side) + kMargin),
               in_y(in_y(y + side) + kMargin),
               {}};
  const auto width = static_cast<int>(read.x1 - read.x0 + 1);
  const auto height = static_cast<int>(read.y1 - read.y0 + 1);
  for (const Plane plane : {Plane::kGround, Plane::kArea, Plane::kWay}) {
    std::vector<std::int32_t>& into = read.planes[static_cast<std::size_t>(plane)];
    into.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    file_->Read(step, plane, static_cast<int>(read.x0 - shape.x0),
                static_cast<int>(read.y0 - shape.y0), width, height, into);
  }
  return read;
}

double Elevation::Outwards() const {
  const SheetShape& raster = file_->shape(0);
  return std::max(kOutwards * std::min(raster.width, raster.height),
                  std::ldexp(kOutwardsCells, level_));
}

bool Elevation::Touches(int level, std::int64_t x, std::int64_t y, int side) const {
  // The raster is nowhere near such coordinates, and shifting them would overflow.
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  if (std::max(std::abs(x), std::abs(y)) > kFar) return false;
  const SheetShape& shape = file_->shape(level_ - level);
  const std::int64_t reach =
      level > 0 ? 0 : static_cast<std::int64_t>(std::ldexp(Outwards(), -level_)) + 1;
  return x + side > shape.x0 - reach && x < shape.x0 + shape.width + reach &&
         y + side > shape.y0 - reach && y < shape.y0 + shape.height + reach;
}

std::int32_t Elevation::WeightAt(int level, std::int64_t x, std::int64_t y) const {
  // Distances are in the raster's cells, so that levels agree.
  const SheetShape& raster = file_->shape(0);
  const int step = level_ - level;
  const auto inwards = [&](std::int64_t at, std::int32_t first, int count) {
    const std::int64_t steps = (at << step) - first;
    return static_cast<double>(std::min(steps, count - 1 - steps));
  };
  const double in_x = inwards(x, raster.x0, raster.width);
  const double in_y = inwards(y, raster.y0, raster.height);
  double weight = Smooth(in_x / blend_cells_) * Smooth(in_y / blend_cells_);
  if (level == 0) {
    const double reach = Outwards();
    weight = Smooth(1.0 + in_x / reach) * Smooth(1.0 + in_y / reach);
  }
  return static_cast<std::int32_t>(std::floor(weight * kWhole + 0.5));
}

// Ends a way where it leaves the real land. Water goes no farther, so no way can be a loop.
std::int32_t Elevation::RiverAt(int level, std::int64_t x, std::int64_t y, std::int32_t area,
                                std::int32_t way) const {
  int direction = elevation::DirectionOf(way);
  if (direction != elevation::kEnds) {
    const Step to = kSteps[static_cast<std::size_t>(direction)];
    const bool leaves = WeightAt(level, x + to.dx, y + to.dy) < kernels::kElevationHalf;
    if (leaves) direction = elevation::kEnds;
  }
  const int code = kernels::areaCode(static_cast<std::uint64_t>(area));
  return kernels::packedRiver(direction, code, 0, elevation::SteepnessOf(way));
}

void Elevation::Fill(int level, std::int64_t x, std::int64_t y, int side,
                     std::span<std::int32_t> values) const {
  std::fill(values.begin(), values.end(), 0);
  if (!Touches(level, x, y, side)) return;
  const Excerpt read = Read(level, x, y, side);
  const SheetShape& shape = file_->shape(level_ - level);
  const std::size_t size = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  std::size_t to = 0;
  for (std::int64_t row = y; row < y + side; ++row) {
    for (std::int64_t column = x; column < x + side; ++column, ++to) {
      const std::int32_t weight = WeightAt(level, column, row);
      if (weight == 0) continue;
      values[to + 2 * size] = weight;
      const bool is_inside = column >= shape.x0 && column < shape.x0 + shape.width &&
                             row >= shape.y0 && row < shape.y0 + shape.height;
      if (!is_inside) {
        values[to] = read.EdgeHeight(column, row);
        continue;
      }
      const std::size_t from = read.IndexOf(column, row);
      values[to] = read.planes[0][from];
      values[to + size] = RiverAt(level, column, row, read.planes[1][from], read.planes[2][from]);
    }
  }
}

}  // namespace thalweg::world
