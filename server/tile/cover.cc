#include "server/tile/cover.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"
#include "shaders/kernels/noise.glsl"

namespace thalweg::tile {
namespace {

// The wavelengths of patches in metres, and what they add to the moisture. The first two change the
// warmth too.
struct PatchSize {
  double wavelength_m;
  float amplitude;
};
constexpr std::array<PatchSize, 6> kPatches = {
    {{9000, 0.20F}, {2100, 0.16F}, {480, 0.14F}, {110, 0.12F}, {25, 0.10F}, {6, 0.08F}}};
constexpr std::size_t kWarmthPatches = 2;
constexpr float kWarmthPerMoisture = 4;
// On a planet climates differ within a latitude: regions of this part of the radius are warmer or
// moister.
constexpr double kRegionOfRadius = 0.25;
constexpr float kRegionWarmth = 7;
constexpr float kRegionMoisture = 0.3F;
// Patches with a shorter wavelength can't be drawn.
constexpr double kShortestPatchCells = 3;
constexpr std::uint32_t kPatchStream = 0x60000000;

// The step of the weights in a tile that is made for drawing, in 1/255.
constexpr int kLattice = 17;

// Width goes with the root of the discharge (Leopold & Maddock 1953): 9 m for 100 km2 of humid
// land. A stream that covers less of a cell than this is not drawn.
constexpr float kWidth = 0.0009F;
constexpr float kMinPart = 0.12F;

// 0 before `from`, 1 after `to`, and smooth between them; `from` may be larger than `to`.
float Smooth(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

// Classes cover the ground one after the other, each a part of the ground that is left.
class Layers {
 public:
  void Put(v1::Cover cover, float part) {
    shares_[static_cast<std::size_t>(cover)] += left_ * part;
    left_ -= left_ * part;
  }
  CoverShares Finish(v1::Cover rest) {
    Put(rest, 1);
    return shares_;
  }

 private:
  CoverShares shares_{};
  float left_ = 1;
};

// The three largest classes. The weights of the second and third are multiples of the step.
std::int32_t Packed(const CoverShares& shares, int step) {
  std::array<int, 3> largest{};
  CoverShares left = shares;
  std::array<float, 3> share{};
  for (std::size_t k = 0; k < largest.size(); ++k) {
    const auto max = std::max_element(left.begin(), left.end());
    largest[k] = static_cast<int>(max - left.begin());
    share[k] = std::max(*max, 0.0F);
    *max = -1;
  }
  const float unit =
      255 / std::max(share[0] + share[1] + share[2], 1e-6F) / static_cast<float>(step);
  const int third = static_cast<int>(share[2] * unit) * step;
  const int second = static_cast<int>(share[1] * unit) * step;
  // A class without weight is written as the first class, which takes no room in the encoding.
  if (second == 0) largest[1] = largest[0];
  if (third == 0) largest[2] = largest[0];
  return largest[0] | largest[1] << 4 | largest[2] << 8 | second << 12 | third << 20;
}

// The humidity of a place: its rain as a part of the water that could evaporate there.
float Humidity(float rain_mm, float temperature_c) {
  const float evaporated_mm = std::max(200.0F, 320 + 42 * temperature_c);
  return rain_mm / evaporated_mm;
}

// How a planet's climate changes with the latitude. warmth: a part of the difference between 45
// degrees and the equator; rain: a factor. It is wet at the equator and at 60 degrees, dry at 30
// degrees and at the poles.
struct LatitudeClimate {
  float warmth = 0;
  float rain = 1;
};

LatitudeClimate ClimateAt(float latitude_sine) {
  // `twice` is the cosine of two times the latitude, `six_times` of six times.
  const float twice = 1 - 2 * latitude_sine * latitude_sine;
  const float six_times = (4 * twice * twice - 3) * twice;
  return {twice, 1 + 0.85F * six_times};
}

}  // namespace

std::int32_t PackedCover(const CoverShares& shares) { return Packed(shares, 1); }

std::int32_t RoundedPackedCover(const CoverShares& shares) { return Packed(shares, kLattice); }

CoverPainter::CoverPainter(const world::World& world, int level)
    : seed_{world.level(level).seed_low, world.level(level).seed_high},
      cell_m_(stages::KernelFloat(world.level(level).cell_size_m)),
      is_planet_(world.spec().has_sphere()),
      has_sea_(world.spec().has_sea_level_m()),
      has_basins_(world.spec().has_base_level_m()),
      temperature_c_(stages::KernelFloat(world.spec().climate().temperature_c())),
      lapse_c_(stages::KernelFloat(world.spec().climate().lapse_c())),
      latitude_c_(stages::KernelFloat(world.spec().climate().latitude_c())),
      rain_mm_(stages::KernelFloat(world.spec().climate().rain_mm())) {
  width_ = kWidth * std::sqrt(std::clamp(Humidity(rain_mm_, temperature_c_), 0.02F, 1.5F));
  const float min = kMinPart * cell_m_ / width_;
  min_river_m2_ = min * min;
  if (has_sea_) base_level_m_ = stages::KernelFloat(world.spec().sea_level_m());
  if (has_basins_) base_level_m_ = stages::KernelFloat(world.spec().base_level_m());
  if (is_planet_) {
    const double cells =
        kRegionOfRadius * world.spec().sphere().radius_m() / world.level(level).cell_size_m;
    regions_ = stages::SpaceLattice(cells, 1, kPatchStream - 1);
  }
  for (std::size_t k = 0; k < kPatches.size(); ++k) {
    const double cells = kPatches[k].wavelength_m / world.level(level).cell_size_m;
    if (cells < kShortestPatchCells) continue;
    const auto turn = static_cast<std::uint32_t>(k);
    patches_[k] = {true, stages::NoiseLattice(is_planet_, cells, turn, kPatchStream + turn),
                   kPatches[k].amplitude};
  }
}

CoverPainter::Chance CoverPainter::ChanceAt(const kernels::Place& place) const {
  Chance chance;
  if (is_planet_) {
    const kernels::vec3 noises = kernels::spaceNoises(place, regions_, seed_);
    chance.warmth = kRegionWarmth * noises.x;
    chance.moisture = kRegionMoisture * noises.y;
  }
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    const Patches& patches = patches_[k];
    if (!patches.shown) continue;
    const float moisture =
        patches.amplitude * (is_planet_ ? kernels::spaceNoise(place, patches.lattice, seed_)
                                        : kernels::gradientNoise(place, patches.lattice, seed_));
    chance.moisture += moisture;
    // Dry places are warmer.
    if (k < kWarmthPatches) chance.warmth -= kWarmthPerMoisture * moisture;
  }
  return chance;
}

float CoverPainter::RiverShare(float area_m2, float beside_m) const {
  const float width_m = width_ * std::sqrt(area_m2);
  const float covered = std::clamp((0.5F * width_m - beside_m) / cell_m_ + 0.5F, 0.0F, 1.0F);
  const float part = std::min(covered, width_m / cell_m_);
  return std::clamp((part - kMinPart) / (1 - kMinPart), 0.0F, 1.0F);
}

CoverShares CoverPainter::At(const kernels::Place& place, const CoverSite& site) const {
  const Chance chance = ChanceAt(place);
  const LatitudeClimate latitude = ClimateAt(site.latitude_sine);
  const float slope =
      std::sqrt(site.east_slope * site.east_slope + site.south_slope * site.south_slope);
  const float above_km = (site.height_m - base_level_m_) * 0.001F;
  // Ground that rises towards the equator faces away from it, and gets less sun.
  const float facing = std::clamp(site.equator_slope, -1.0F, 1.0F);
  const float mean_c = temperature_c_ + (is_planet_ ? latitude_c_ * latitude.warmth : 0.0F);
  const float warmth = mean_c - lapse_c_ * above_km + chance.warmth - 1.8F * facing;
  const float mean_mm = is_planet_ ? rain_mm_ * latitude.rain : rain_mm_;
  const float rain_mm = mean_mm * (1 + 0.25F * std::clamp(above_km, 0.0F, 2.0F));
  // Water gathers where much ground drains to and the slope is low (Beven & Kirkby 1979).
  const float wetness =
      kernels::logarithm(std::max(site.area_m2 / cell_m_ / (slope + 0.01F), 1.0F));
  const float humidity = Humidity(rain_mm, warmth);
  const float moisture =
      humidity * (1 + chance.moisture) +
      std::min(2 * humidity, 1.0F) * std::clamp(0.035F * (wetness - 9), -0.1F, 0.35F) +
      0.5F * chance.moisture - 0.12F * std::min(slope, 1.5F) - 0.05F * facing;
  const float lush = std::clamp(moisture, 0.0F, 1.0F);
  const float cold = Smooth(1.5F, -2.0F, warmth);

  Layers layers;
  layers.Put(v1::COVER_WATER, Smooth(0, 0.02F * cell_m_, site.depth_m));
  const bool runs = humidity > 0.22F;
  layers.Put(runs ? v1::COVER_RIVER : v1::COVER_SAND, site.river);
  // Without precipitation there is no snow, however cold it is.
  const float falls = Smooth(0, 5, rain_mm);
  layers.Put(v1::COVER_SNOW, falls * Smooth(-3.0F, -6.5F, warmth) * Smooth(1.3F, 0.75F, slope));
  const float bare_from = 0.66F + 0.28F * lush - 0.14F * cold + 0.25F * chance.moisture;
  layers.Put(v1::COVER_ROCK, Smooth(bare_from, bare_from + 0.3F, slope));
  const float over_base_m = site.height_m - base_level_m_ + 2 * chance.moisture;
  if (has_sea_) {
    // The beach is only as wide as waves reach, on a plain too. Where it is cold, shores are rock.
    const float shore_m = std::max(over_base_m, 0.0F) / std::max(slope, 0.004F);
    const float beach = Smooth(100, 50, shore_m) * std::min(40 / cell_m_, 1.0F);
    layers.Put(v1::COVER_BEACH, beach * Smooth(4.5F, 2.0F, over_base_m) *
                                    Smooth(0.22F, 0.1F, slope) * Smooth(4, 13, warmth));
  }
  if (has_basins_) {
    layers.Put(v1::COVER_SALT, Smooth(1.2F, -0.3F, over_base_m) * Smooth(0.06F, 0.02F, slope));
  }
  layers.Put(v1::COVER_SCREE, 0.8F * cold * Smooth(0.48F, 0.62F, slope));
  // Wetland: where much water arrives, or where the sea holds water back.
  const float soaked =
      std::max(Smooth(15, 19, wetness), has_sea_ ? Smooth(2.2F, 0.6F, over_base_m) : 0.0F);
  layers.Put(v1::COVER_WETLAND,
             Smooth(0.02F, 0.004F, slope) * soaked * Smooth(0.4F, 0.8F, moisture));
  layers.Put(v1::COVER_FOREST, Smooth(0.58F, 0.8F, moisture) * Smooth(0.3F, 2.2F, warmth));
  layers.Put(v1::COVER_SHRUB, 0.75F * Smooth(0.26F, 0.5F, moisture) * Smooth(-1.5F, 1.0F, warmth));
  layers.Put(v1::COVER_GRASS, Smooth(0.2F, 0.48F, moisture) * Smooth(-5.0F, -2.0F, warmth));
  layers.Put(v1::COVER_SCREE, cold);
  layers.Put(v1::COVER_ROCK, Smooth(0.3F, 0.5F, slope));
  layers.Put(v1::COVER_SAND, Smooth(0.16F, 0.06F, moisture) * Smooth(0.2F, 0.06F, slope));
  return layers.Finish(v1::COVER_SOIL);
}

}  // namespace thalweg::tile
