#include "client/tools/picture/relief.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <system_error>
#include <thread>

#include "client/tools/picture/label.h"

namespace thalweg::picture {
namespace {

// Rows that a thread takes at a time; and the radii in vertices over which valleys darken.
constexpr int kBandRows = 128;
constexpr int kGullyRadius = 2;
constexpr int kValleyRadius = 12;

std::size_t IndexOf(const HeightGrid& grid, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width) +
         static_cast<std::size_t>(x);
}

float HeightM(std::int32_t q16) { return static_cast<float>(q16) / 65536.0F; }

// Returns the light that is left: valleys lose up to a third, ridges gain a little.
float Openness(float gully, float valley, float exaggeration) {
  const float depth = exaggeration * (0.9F * gully + 0.8F * valley);
  return std::clamp(1 - 0.55F * depth / (1 + std::abs(depth)), 0.66F, 1.10F);
}

// Returns how far a vertex's tint moves along the ramp: valleys keep the green of lower ground,
// ridges are barer than other ground of the same height.
float Exposure(const Shade& shade) { return 0.5F * (shade.open - 1); }

using PixelFunction = std::function<Color(std::size_t index, const Shade& shade)>;

void RenderBand(const HeightGrid& grid, int first, int rows, const PixelFunction& pixel,
                Image& image) {
  const float exaggeration = Exaggeration(grid.cell_size_m);
  const std::vector<float> gully = ValleyDepth(grid, first, rows, kGullyRadius);
  const std::vector<float> valley = ValleyDepth(grid, first, rows, kValleyRadius);
  std::size_t i = 0;
  for (int y = first; y < first + rows; ++y) {
    for (int x = 0; x < grid.width; ++x, ++i) {
      const Slope slope = SlopeAt(grid, x, y);
      const float light = Illumination(Exaggerate(slope, exaggeration)) / FlatIllumination();
      const Shade shade{light, Openness(gully[i], valley[i], exaggeration), Steepness(slope)};
      image.Set(x, y, pixel(IndexOf(grid, x, y), shade));
    }
  }
}

// Draws a picture in bands. Any free thread takes the next band; bands do not depend on each other.
Image Render(const HeightGrid& grid, int threads, const PixelFunction& pixel) {
  Image image(grid.width, grid.height);
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int first = next.fetch_add(kBandRows); first < grid.height;
         first = next.fetch_add(kBandRows)) {
      RenderBand(grid, first, std::min(kBandRows, grid.height - first), pixel, image);
    }
  };
  if (threads <= 0) threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  threads = std::min(threads, (grid.height + kBandRows - 1) / kBandRows);
  std::vector<std::jthread> others;
  try {
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // The threads that there are draw all bands.
  }
  work();
  others.clear();
  return image;
}

// Returns the scale of the values that are drawn, without those that are bare.
template <typename Bare>
OverlayScale ScaleOf(std::span<const std::int32_t> values, const Bare& bare) {
  OverlayScale scale{.largest = 0, .min = INT32_MAX, .max = INT32_MIN};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bare(i)) continue;
    scale.min = std::min(scale.min, values[i]);
    scale.max = std::max(scale.max, values[i]);
  }
  if (scale.min > scale.max) return {};
  const std::int64_t largest =
      std::max(std::abs(std::int64_t{scale.min}), std::abs(std::int64_t{scale.max}));
  scale.largest = static_cast<std::int32_t>(std::min<std::int64_t>(largest, INT32_MAX));
  return scale;
}

// Rows of 64-bit sums: integers make the running sums exact, and four passes of 65 vertices over
// 32-bit values stay below 2^57.
using Sums = std::vector<std::int64_t>;

std::size_t At(int row, int width, int x) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

// Sums 2 radius + 1 neighbours along each row; the border's values are repeated.
void SumAlongRow(std::int64_t* row, int width, int radius, Sums& scratch) {
  scratch.assign(row, row + width);
  const auto value = [&](int x) {
    return scratch[static_cast<std::size_t>(std::clamp(x, 0, width - 1))];
  };
  std::int64_t sum = 0;
  for (int x = -radius; x <= radius; ++x) sum += value(x);
  for (int x = 0; x < width; ++x) {
    row[x] = sum;
    sum += value(x + radius + 1) - value(x - radius);
  }
}

// Sums 2 radius + 1 rows. The result has 2 radius rows less than `rows`.
Sums SumRows(const Sums& rows, int width, int radius) {
  const int count = static_cast<int>(rows.size() / static_cast<std::size_t>(width));
  Sums result(At(count - 2 * radius, width, 0));
  Sums sum(static_cast<std::size_t>(width), 0);
  for (int row = 0; row < count; ++row) {
    for (int x = 0; x < width; ++x) {
      std::int64_t& s = sum[static_cast<std::size_t>(x)];
      s += rows[At(row, width, x)];
      if (row < 2 * radius) continue;
      result[At(row - 2 * radius, width, x)] = s;
      s -= rows[At(row - 2 * radius, width, x)];
    }
  }
  return result;
}

constexpr float kColorShare = 0.55F;
constexpr float kBorderShare = 0.45F;
constexpr Color kBlack = {0, 0, 0};
constexpr Color kWay = {1, 1, 1};

// The colours of levels, from coarse to fine; neighbouring colours are easy to distinguish.
constexpr std::array<Color, 10> kLevelColors = {{{0.42F, 0.24F, 0.60F},
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

Slope SlopeAt(const HeightGrid& grid, int x, int y) {
  const int west = std::max(x - 1, 0);
  const int east = std::min(x + 1, grid.width - 1);
  const int north = std::max(y - 1, 0);
  const int south = std::min(y + 1, grid.height - 1);
  // Sums of differences of 32-bit heights need 64 bits, and are exact.
  const auto h = [&](int at_x, int at_y) -> std::int64_t {
    return grid.q16[IndexOf(grid, at_x, at_y)];
  };
  const std::int64_t rise_east = h(east, north) + 2 * h(east, y) + h(east, south) - h(west, north) -
                                 2 * h(west, y) - h(west, south);
  const std::int64_t rise_south = h(west, south) + 2 * h(x, south) + h(east, south) -
                                  h(west, north) - 2 * h(x, north) - h(east, north);
  const double unit = 65536.0 * 4 * grid.cell_size_m;
  return {
      static_cast<float>(static_cast<double>(rise_east) / (unit * std::max(east - west, 1))),
      static_cast<float>(static_cast<double>(rise_south) / (unit * std::max(south - north, 1)))};
}

Image RenderRelief(const HeightGrid& grid, const ReliefOptions& options) {
  HeightScale scale;
  const auto [min, max] = std::minmax_element(grid.q16.begin(), grid.q16.end());
  scale.min_m = HeightM(*min);
  scale.max_m = HeightM(*max);
  if (options.sea_level_m) scale.sea_level_m = static_cast<float>(*options.sea_level_m);

  return Render(grid, options.threads, [&](std::size_t i, const Shade& shade) {
    const float height_m = HeightM(grid.q16[i]);
    if (!options.water_depth.empty()) {
      if (options.water_depth[i] > 0) return LitWater(HeightM(options.water_depth[i]), shade);
    } else if (scale.sea_level_m && height_m < *scale.sea_level_m) {
      return LitWater(*scale.sea_level_m - height_m, shade);
    }
    const float position = RampPosition(height_m, scale) + Exposure(shade);
    const Color ground = LitLand(position, shade);
    if (options.flow.empty()) return ground;
    return WithRiver(ground, RiverShare(options.flow[i]), shade);
  });
}

Image RenderSatellite(const HeightGrid& grid, std::span<const std::int32_t> cover,
                      std::span<const std::int32_t> water_depth, int threads) {
  return Render(grid, threads, [&](std::size_t i, const Shade& shade) {
    return LitCover(cover[i], water_depth.empty() ? 0 : HeightM(water_depth[i]), shade);
  });
}

Image RenderLayer(const HeightGrid& grid, const LayerGrid& layer, int threads) {
  constexpr std::int32_t kNoShore = 65'535;
  // Whether nothing is drawn: on dry ground in a picture of the water's level, and where no shore
  // is known.
  const auto bare = [&](std::size_t i) {
    if (layer.layer == Layer::kWaterLevel) return layer.values[i] <= grid.q16[i];
    return layer.layer == Layer::kShoreDirection && !layer.shore_distance.empty() &&
           std::abs(layer.shore_distance[i]) >= kNoShore;
  };
  const OverlayScale scale = ScaleOf(layer.values, bare);
  constexpr Color kPaper = {0.86F, 0.86F, 0.85F};
  return Render(grid, threads, [&](std::size_t i, const Shade& shade) {
    const Overlay overlay =
        bare(i) ? Overlay{}
                : LayerOverlay(static_cast<v1::Layer>(layer.layer), layer.values[i], scale);
    if (overlay.lit) return Lit(Mix(kPaper, overlay.color, overlay.share), shade);
    return Mix(Lit(kPaper, shade), overlay.color, overlay.share);
  });
}

std::vector<float> ValleyDepth(const HeightGrid& grid, int first_row, int rows, int radius) {
  const int margin = 2 * radius;
  Sums sums(At(rows + 2 * margin, grid.width, 0));
  for (int row = 0; row < rows + 2 * margin; ++row) {
    const int from = std::clamp(first_row + row - margin, 0, grid.height - 1);
    const auto heights = grid.q16.begin() + static_cast<std::ptrdiff_t>(At(from, grid.width, 0));
    std::copy_n(heights, grid.width,
                sums.begin() + static_cast<std::ptrdiff_t>(At(row, grid.width, 0)));
  }
  Sums scratch;
  for (int pass = 0; pass < 2; ++pass) {
    const int count = static_cast<int>(sums.size() / static_cast<std::size_t>(grid.width));
    for (int row = 0; row < count; ++row) {
      SumAlongRow(&sums[At(row, grid.width, 0)], grid.width, radius, scratch);
    }
    sums = SumRows(sums, grid.width, radius);
  }

  const double side = 2 * radius + 1;
  const double to_mean = 1 / (side * side * side * side);
  const double to_slope = 1 / (65536.0 * grid.cell_size_m * radius);
  std::vector<float> depth(sums.size());
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const double own = grid.q16[At(first_row, grid.width, 0) + i];
    depth[i] = static_cast<float>((static_cast<double>(sums[i]) * to_mean - own) * to_slope);
  }
  return depth;
}

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

Color LevelColor(int level) {
  return kLevelColors[static_cast<std::size_t>(std::max(level, 0)) % kLevelColors.size()];
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
