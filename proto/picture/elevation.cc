#include "proto/picture/elevation.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "proto/picture/png.h"

namespace thalweg::picture {

std::uint32_t TerrariumOf(std::int32_t height) {
  constexpr std::int64_t kOffset = std::int64_t{32'768} << 8;
  const std::int64_t steps = ((std::int64_t{height} + 128) >> 8) + kOffset;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(steps, 0, 0xFFFFFF));
}

absl::StatusOr<std::string> ElevationPng(
    std::span<const std::int32_t> heights, int side,
    const std::function<std::uint32_t(std::int32_t)>& pixel_of) {
  const auto width = static_cast<std::size_t>(side);
  std::vector<std::uint8_t> row_bytes(3 * width);
  std::string bytes;
  const absl::Status written = WritePngRows(
      {.width = side, .height = side, .colors = false, .fast = true}, {},
      [&bytes](std::span<const std::uint8_t> part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
        return absl::OkStatus();
      },
      [&](int y) {
        const std::span row = heights.subspan(static_cast<std::size_t>(y) * width, width);
        for (std::size_t x = 0; x < width; ++x) {
          const std::uint32_t pixel = pixel_of(row[x]);
          row_bytes[3 * x] = static_cast<std::uint8_t>(pixel >> 16);
          row_bytes[3 * x + 1] = static_cast<std::uint8_t>(pixel >> 8);
          row_bytes[3 * x + 2] = static_cast<std::uint8_t>(pixel);
        }
        return row_bytes.data();
      });
  if (!written.ok()) return written;
  bytes.shrink_to_fit();
  return bytes;
}

}  // namespace thalweg::picture
