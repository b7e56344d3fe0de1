#include "client/tools/picture/levels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "client/tools/picture/label.h"

namespace thalweg::picture {
namespace {

constexpr float kColorShare = 0.55F;
constexpr float kBorderShare = 0.45F;
constexpr Color kBlack = {0, 0, 0};
constexpr Color kWay = {1, 1, 1};

// The colours of levels, from coarse to fine; neighbouring colours are easy to distinguish.
constexpr std::array<Color, 10> kColors = {{{0.42F, 0.24F, 0.60F},
                                            {0.20F, 0.33F, 0.70F},
                                            {0.12F, 0.56F, 0.76F},
                                            {0.10F, 0.64F, 0.50F},
                                            {0.38F, 0.70F, 0.24F},
                                            {0.80F, 0.78F, 0.18F},
                                            {0.95F, 0.62F, 0.15F},
                                            {0.88F, 0.34F, 0.16F},
                                            {0.72F, 0.12F, 0.30F},
                                            {0.85F, 0.45F, 0.75F}}};

void Fill(Image& image, int left, int top, int width, int height, Color color, float share) {
  for (int y = std::max(top, 0); y < std::min(top + height, image.height); ++y) {
    for (int x = std::max(left, 0); x < std::min(left + width, image.width); ++x) {
      image.Set(x, y, Mix(image.Get(x, y), color, share));
    }
  }
}

}  // namespace

Color LevelColor(int level) {
  return kColors[static_cast<std::size_t>(std::max(level, 0)) % kColors.size()];
}

Image RenderLevels(const HeightGrid& grid, const LevelGrid& levels) {
  const std::vector<std::int32_t> nothing(grid.q16.size());
  Image image = RenderLayer(grid, {.layer = Layer::kWear, .values = nothing});
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width) +
           static_cast<std::size_t>(x);
  };
  for (int y = 0; y < grid.height; ++y) {
    for (int x = 0; x < grid.width; ++x) {
      const std::size_t i = at(x, y);
      if (levels.level[i] < 0) {
        image.Set(x, y, kBlack);
        continue;
      }
      Color color = Mix(image.Get(x, y), LevelColor(levels.level[i]), kColorShare);
      const bool border = (x > 0 && levels.tile[at(x - 1, y)] != levels.tile[i]) ||
                          (y > 0 && levels.tile[at(x, y - 1)] != levels.tile[i]);
      if (border) color = Mix(color, kBlack, kBorderShare);
      image.Set(x, y, color);
    }
  }
  return image;
}

void DrawPath(PicturePoint from, PicturePoint to, Image& image) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const int steps = static_cast<int>(std::ceil(2 * length)) + 1;
  for (int step = 0; step <= steps; ++step) {
    const double share = static_cast<double>(step) / steps;
    Fill(image, static_cast<int>(std::lround(from.x + share * (to.x - from.x))) - 1,
         static_cast<int>(std::lround(from.y + share * (to.y - from.y))) - 1, 2, 2, kWay, 1);
  }
  constexpr int kDot = 5;
  const int x = static_cast<int>(std::lround(to.x));
  const int y = static_cast<int>(std::lround(to.y));
  Fill(image, x - kDot, y - kDot, 2 * kDot, 2 * kDot, kBlack, 1);
  Fill(image, x - kDot + 2, y - kDot + 2, 2 * kDot - 4, 2 * kDot - 4, kWay, 1);
}

void DrawLegend(const std::vector<LegendEntry>& entries, Image& image) {
  const int dot = std::max(1, std::min(image.width, image.height) / 480);
  constexpr int kLine = 12;
  constexpr int kInset = 6;
  constexpr int kSwatch = 8;
  int width = 0;
  for (const LegendEntry& entry : entries) width = std::max(width, TextWidth(entry.text));
  Fill(image, kInset * dot, kInset * dot, (width + kSwatch + 3 * kInset) * dot,
       (static_cast<int>(entries.size()) * kLine + kInset) * dot, {0.08F, 0.10F, 0.13F}, 0.62F);
  int top = 2 * kInset;
  for (const LegendEntry& entry : entries) {
    Fill(image, 2 * kInset * dot, top * dot, kSwatch * dot, kSwatch * dot, entry.color, 1);
    DrawText(entry.text, [&](int column, int row) {
      Fill(image, (3 * kInset + kSwatch + column) * dot, (top + row) * dot, dot, dot,
           {0.95F, 0.96F, 0.96F}, 1);
    });
    top += kLine;
  }
}

}  // namespace thalweg::picture
