#include "server/raster/rounding.h"

#include <algorithm>

namespace thalweg::raster {

std::uint32_t MapboxOf(std::int32_t height) {
  // A height in tenths of a metre is height * 10 / 65,536.
  const std::int64_t tenths = (std::int64_t{height} * 10 + 32'768) >> 16;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(tenths + 100'000, 0, 0xFFFFFF));
}

std::uint16_t GreyOf(std::int32_t value, const v1::GreyScale& scale) {
  const std::uint32_t shift = scale.shift();
  const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
  const std::int64_t grey = (std::int64_t{value} - scale.offset() + half) >> shift;
  return static_cast<std::uint16_t>(std::clamp<std::int64_t>(grey, 0, 65'535));
}

}  // namespace thalweg::raster
