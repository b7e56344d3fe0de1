#include "client/tools/raster/mosaic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/tools/raster/gdal.h"

namespace thalweg::raster_file {
namespace {

int Divided(int pixels, int reduction) { return (pixels + reduction - 1) / reduction; }

Georeferenced Reduced(const Georeferenced& whole, int reduction) {
  Georeferenced place = whole;
  place.width = Divided(whole.width, reduction);
  place.height = Divided(whole.height, reduction);
  for (const std::size_t n : {1U, 2U, 4U, 5U}) place.transform.at(n) *= reduction;
  return place;
}

}  // namespace

Mosaic::Mosaic(const Georeferenced& whole, int reduction)
    : place_(Reduced(whole, reduction)),
      reduction_(reduction),
      sum_m_(survey::FilledGrid(place_.width, place_.height, 0.0)),
      count_(survey::FilledGrid<std::uint16_t>(place_.width, place_.height, 0)),
      row_sum_m_(static_cast<std::size_t>(place_.width)),
      row_count_(static_cast<std::size_t>(place_.width)) {}

void Mosaic::Begin(const std::string& path, int column, int row, int width, int height) {
  parts_.push_back({path, column, row, width, height, false});
  overlap_ = {};
}

void Mosaic::Take(int row, const std::vector<double>& heights_m) {
  MosaicPart& part = parts_.back();
  const int y = (part.row + row) / reduction_;
  if (y != y_) Flush();
  y_ = y;
  for (int x = 0; x < part.width; ++x) {
    const double height_m = heights_m[static_cast<std::size_t>(x)];
    if (std::isnan(height_m)) continue;
    part.has_heights = true;
    const auto to = static_cast<std::size_t>((part.column + x) / reduction_);
    row_sum_m_[to] += height_m;
    ++row_count_[to];
  }
}

void Mosaic::Flush() {
  if (y_ < 0) return;
  const int full = reduction_ * reduction_;
  for (int x = 0; x < place_.width; ++x) {
    const auto from = static_cast<std::size_t>(x);
    const std::uint16_t count = std::exchange(row_count_[from], std::uint16_t{0});
    const double sum_m = std::exchange(row_sum_m_[from], 0.0);
    if (count == 0) continue;
    double& total_m = sum_m_.At(x, y_);
    std::uint16_t& total = count_.At(x, y_);
    if (total < full) {
      total_m += sum_m;
      total = static_cast<std::uint16_t>(total + count);
      continue;
    }
    const double apart_m = std::abs(sum_m / count - total_m / total);
    if (apart_m >= overlap_.max_m) {
      overlap_.max_m = apart_m;
      overlap_.x = x;
      overlap_.y = y_;
    }
    overlap_.sum_m += apart_m;
    ++overlap_.count;
  }
  y_ = -1;
}

absl::Status Mosaic::End(double agree_m, std::vector<std::string>& notes) {
  Flush();
  const Overlap& overlap = overlap_;
  constexpr double kSameM = 0.01;
  const double mean_m = overlap.count == 0 ? 0 : overlap.sum_m / static_cast<double>(overlap.count);
  if (mean_m <= kSameM) return absl::OkStatus();
  const int column = overlap.x * reduction_;
  const int row = overlap.y * reduction_;
  const auto other = std::ranges::find_if(parts_, [&](const MosaicPart& part) {
    return column + reduction_ > part.column && column < part.column + part.width &&
           row + reduction_ > part.row && row < part.row + part.height;
  });
  const std::string& path = parts_.back().path;
  if (mean_m > agree_m) {
    return RasterError(
        path, absl::StrFormat("the heights of '%s' where both have some", other->path),
        absl::StrFormat("others, by %.3g m on average and up to %.3g m; leave one of them out, or "
                        "gdalbuildvrt makes one raster of them, in which the last one counts",
                        mean_m, overlap.max_m));
  }
  notes.push_back(
      absl::StrFormat("%s differs from %s by %.2g m on average, up to %.3g m; %s counts", path,
                      other->path, mean_m, overlap.max_m, other->path));
  return absl::OkStatus();
}

std::vector<MosaicPart> Mosaic::Parts() const {
  std::vector<MosaicPart> parts = parts_;
  for (MosaicPart& part : parts) {
    const int east = Divided(part.column + part.width, reduction_);
    const int south = Divided(part.row + part.height, reduction_);
    part.column /= reduction_;
    part.row /= reduction_;
    part.width = east - part.column;
    part.height = south - part.row;
  }
  return parts;
}

survey::Grid<double> Mosaic::TakeHeights() {
  // Where less than a quarter of a pixel has heights, it has none.
  constexpr int kLeastShare = 4;
  const int full = reduction_ * reduction_;
  for (std::size_t i = 0; i < sum_m_.values.size(); ++i) {
    const int count = count_.values[i];
    double& value = sum_m_.values[i];
    value = count * kLeastShare >= full && count > 0 ? value / count
                                                     : std::numeric_limits<double>::quiet_NaN();
  }
  return std::move(sum_m_);
}

}  // namespace thalweg::raster_file
