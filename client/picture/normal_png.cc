#include "client/picture/normal_png.h"

#include <algorithm>
#include <cmath>

#include "thalweg/layer.h"

namespace thalweg::picture {

absl::Status WriteNormalPng16(std::span<const std::int32_t> values, int width, int height,
                              const std::vector<PngText>& texts, const ByteSink& sink) {
  std::vector<std::uint8_t> bytes;
  return WritePngRows(
      {.width = width, .height = height, .kind = PngKind::kRgb16}, texts, sink, [&](int y) {
        bytes.clear();
        const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
        for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
          const Normal normal = UnpackNormal(values[row + x]);
          for (const float part : {normal.east, -normal.south, normal.up}) {
            const float share = std::clamp(0.5F + 0.5F * part, 0.0F, 1.0F);
            const auto value = static_cast<std::uint16_t>(std::lround(share * 65535.0F));
            bytes.push_back(static_cast<std::uint8_t>(value >> 8));
            bytes.push_back(static_cast<std::uint8_t>(value & 0xFF));
          }
        }
        return bytes.data();
      });
}

}  // namespace thalweg::picture
