#include "server/tile/layers/cover.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

#include "server/stages/host_math.h"
#include "server/stages/independent.h"
#include "server/stages/noise_lattice.h"
#include "shaders/kernels/ground.glsl"
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
// On a planet climates differ within a latitude. Regions have a length, as a part of the radius,
// and are warmer, in degrees, or moister by up to so much.
struct RegionSize {
  double of_radius;
  float warmth;
  float moisture;
};
constexpr std::array<RegionSize, 3> kRegions = {
    {{0.25, 7, 0.3F}, {0.08, 3, 0.25F}, {0.025, 2, 0.2F}}};
// Patches with a shorter wavelength can't be drawn.
constexpr double kShortestPatchCells = 3;
constexpr std::uint32_t kPatchStream = 0x60000000;

// Width goes with the root of the discharge (Leopold & Maddock 1953): 9 m for 100 km2 of humid
// land. A stream that covers less of a cell than this is not drawn.
constexpr float kWidth = 0.0009F;
constexpr float kMinPart = 0.12F;

// 0 before `from`, 1 after `to`, and smooth between them; `from` may be larger than `to`.
float Smooth(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

// Cells up to this size are small against the distance to the sea over which a plain falls.
constexpr double kNearCellM = 8;

// Where no rock is bare, loose ground is at least as deep (kernels::kLooseGround).
constexpr float kLooseM = kernels::kLooseGround / 65536.0F;

// The part of a vertex's surroundings that is under standing water.
float WaterShare(float depth_m, float cell_m) { return Smooth(0, 0.02F * cell_m, depth_m); }

// Classes cover the ground of a vertex one after the other, each a part of the ground that is left.
class Layers {
 public:
  void Put(v1::Cover cover, float part) {
    shares_[static_cast<std::size_t>(cover)] += left_ * part;
    left_ -= left_ * part;
  }
  std::array<float, kCoverClasses> Finish(v1::Cover rest) {
    Put(rest, 1);
    return shares_;
  }

 private:
  std::array<float, kCoverClasses> shares_{};
  float left_ = 1;
};

// The humidity of a place: its rain as a part of the water that could evaporate there.
float Humidity(float rain_mm, float temperature_c) {
  const float evaporated_mm = std::max(200.0F, 320 + 42 * temperature_c);
  return rain_mm / evaporated_mm;
}

// How the climate changes with a planet's latitude. It is wet at the equator and at 60 degrees, dry
// at 30 degrees and at the poles.
constexpr float kLatitudeRain = 0.85F;
struct LatitudeClimate {
  // A part of the difference between 45 degrees and the equator.
  float warmth;
  // From -1 to 1.
  float rain;
};

LatitudeClimate ClimateAt(float latitude_sine) {
  // `twice` is the cosine of two times the latitude, `six_times` of six times.
  const float twice = 1 - 2 * latitude_sine * latitude_sine;
  const float six_times = (4 * twice * twice - 3) * twice;
  return {twice, six_times};
}

// a where all bits of the mask are set, b where none is. Compilers make vectors of it more readily
// than of conditions.
std::int32_t Chosen(std::int32_t mask, std::int32_t a, std::int32_t b) {
  return (mask & a) | (~mask & b);
}
std::int32_t MaskOf(bool condition) { return condition ? -1 : 0; }

// The three largest classes of each vertex of a row, the largest first.
class Ranks {
 public:
  explicit Ranks(std::size_t vertices) {
    for (Rank& rank : ranks_) rank = {Values(vertices), Values(vertices)};
  }

  // Puts a class where it belongs. Classes come in their order, so of equal ones the first stays
  // first.
  void Add(std::int32_t cover, const std::vector<float>& shares) {
    const float* const share = shares.data();
    std::int32_t* const share_1 = ranks_[0].share.data();
    std::int32_t* const share_2 = ranks_[1].share.data();
    std::int32_t* const share_3 = ranks_[2].share.data();
    std::int32_t* const cover_1 = ranks_[0].cover.data();
    std::int32_t* const cover_2 = ranks_[1].cover.data();
    std::int32_t* const cover_3 = ranks_[2].cover.data();
    const std::size_t count = shares.size();
    THALWEG_INDEPENDENT for (std::size_t k = 0; k < count; ++k) {
      const auto here = std::bit_cast<std::int32_t>(share[k]);
      const std::int32_t over_1 = MaskOf(here > share_1[k]);
      const std::int32_t over_2 = MaskOf(here > share_2[k]);
      const std::int32_t over_3 = MaskOf(here > share_3[k]);
      share_3[k] = Chosen(over_2, share_2[k], Chosen(over_3, here, share_3[k]));
      cover_3[k] = Chosen(over_2, cover_2[k], Chosen(over_3, cover, cover_3[k]));
      share_2[k] = Chosen(over_1, share_1[k], Chosen(over_2, here, share_2[k]));
      cover_2[k] = Chosen(over_1, cover_1[k], Chosen(over_2, cover, cover_2[k]));
      share_1[k] = Chosen(over_1, here, share_1[k]);
      cover_1[k] = Chosen(over_1, cover, cover_1[k]);
    }
  }

  void Pack(int step, std::span<std::int32_t> packed) const {
    const auto share = [&](std::size_t rank, std::size_t k) {
      return std::bit_cast<float>(ranks_[rank].share[k]);
    };
    for (std::size_t k = 0; k < packed.size(); ++k) {
      const float sum = share(0, k) + share(1, k) + share(2, k);
      const float unit = 255 / std::max(sum, 1e-6F) / static_cast<float>(step);
      const int second = static_cast<int>(share(1, k) * unit) * step;
      const int third = static_cast<int>(share(2, k) * unit) * step;
      // A class without weight is written as the first class, which takes no room in the encoding.
      const std::int32_t largest = ranks_[0].cover[k];
      packed[k] = largest | Chosen(MaskOf(second == 0), largest, ranks_[1].cover[k]) << 4 |
                  Chosen(MaskOf(third == 0), largest, ranks_[2].cover[k]) << 8 | second << 12 |
                  third << 20;
    }
  }

 private:
  // Shares are not negative, so they are ordered as their bits are.
  using Values = std::vector<std::int32_t>;
  struct Rank {
    Values share;
    Values cover;
  };
  std::array<Rank, 3> ranks_;
};

}  // namespace

CoverPainter::CoverPainter(const world::World& world, int level)
    : land_{.cell_m = stages::KernelFloat(world.level(level).cell_size_m),
            .base_level_m = 0,
            .sea = world.spec().has_sea_level_m() ? 1.0F : 0.0F,
            .basins = world.spec().has_base_level_m() ? 1.0F : 0.0F,
            .near = world.level(level).cell_size_m <= kNearCellM ? 1.0F : 0.0F,
            .shows_rock = world.level(level).StartsWithStage() ? 1.0F : 0.0F,
            .temperature_c = stages::KernelFloat(world.spec().climate().temperature_c()),
            .lapse_c = stages::KernelFloat(world.spec().climate().lapse_c()),
            .rain_mm = stages::KernelFloat(world.spec().climate().rain_mm()),
            .latitude_c = 0,
            .latitude_rain = 0},
      width_(kWidth *
             std::sqrt(std::clamp(Humidity(land_.rain_mm, land_.temperature_c), 0.02F, 1.5F))) {
  const float min = kMinPart * land_.cell_m / width_;
  min_river_m2_ = min * min;
  if (world.spec().has_sea_level_m()) {
    land_.base_level_m = stages::KernelFloat(world.spec().sea_level_m());
  }
  if (world.spec().has_base_level_m()) {
    land_.base_level_m = stages::KernelFloat(world.spec().base_level_m());
  }
  const kernels::uvec2 seed{world.level(level).seed_low, world.level(level).seed_high};
  const bool is_planet = world.spec().has_sphere();
  if (is_planet) {
    land_.latitude_c = stages::KernelFloat(world.spec().climate().latitude_c());
    land_.latitude_rain = kLatitudeRain;
    for (std::size_t k = 0; k < kRegions.size(); ++k) {
      const double cells =
          kRegions[k].of_radius * world.spec().sphere().radius_m() / world.level(level).cell_size_m;
      const auto turn = static_cast<std::uint32_t>(k + 1);
      regions_.push_back(
          {SpaceNoise<2>(stages::SpaceLattice(cells, turn, kPatchStream - turn), seed),
           kRegions[k].warmth, kRegions[k].moisture});
    }
  }
  for (std::size_t k = 0; k < kPatches.size(); ++k) {
    const double cells = kPatches[k].wavelength_m / world.level(level).cell_size_m;
    if (cells < kShortestPatchCells) continue;
    const auto turn = static_cast<std::uint32_t>(k);
    const kernels::Lattice lattice =
        stages::NoiseLattice(is_planet, cells, turn, kPatchStream + turn);
    std::variant<PlaneNoise, SpaceNoise<1>> noise = PlaneNoise(lattice, seed);
    if (is_planet) noise = SpaceNoise<1>(lattice, seed);
    // Dry places are warmer.
    const float warmth = k < kWarmthPatches ? -kWarmthPerMoisture : 0;
    patches_.push_back({std::move(noise), kPatches[k].amplitude, warmth});
  }
}

void CoverPainter::MakeChances(std::span<const kernels::Place> places) {
  chances_.assign(places.size(), {0, 0});
  for (Regions& regions : regions_) {
    const auto [warmth, moisture] = regions.noise.At(places);
    for (std::size_t k = 0; k < places.size(); ++k) {
      chances_[k].warmth += regions.warmth * warmth[k];
      chances_[k].moisture += regions.moisture * moisture[k];
    }
  }
  for (Patches& patches : patches_) {
    auto* const in_space = std::get_if<SpaceNoise<1>>(&patches.noise);
    const std::span<const float> noise =
        in_space ? in_space->At(places)[0] : std::get<PlaneNoise>(patches.noise).At(places);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const float moisture = patches.moisture * noise[k];
      chances_[k].moisture += moisture;
      chances_[k].warmth += patches.warmth_per_moisture * moisture;
    }
  }
}

bool CoverPainter::Drowns(float depth_m) const { return WaterShare(depth_m, land_.cell_m) >= 1; }

float CoverPainter::RiverShare(float area_m2, float beside_m) const {
  const float width_m = width_ * std::sqrt(area_m2);
  const float covered = std::clamp((0.5F * width_m - beside_m) / land_.cell_m + 0.5F, 0.0F, 1.0F);
  const float part = std::min(covered, width_m / land_.cell_m);
  return std::clamp((part - kMinPart) / (1 - kMinPart), 0.0F, 1.0F);
}

// It has no branches and calls, so a compiler computes several vertices at once.
[[gnu::always_inline]] inline std::array<float, kCoverClasses> CoverPainter::SharesAt(
    const Land& land, const CoverSite& site, const Chance& chance) {
  const LatitudeClimate latitude = ClimateAt(site.latitude_sine);
  const float slope =
      std::sqrt(site.east_slope * site.east_slope + site.south_slope * site.south_slope);
  const float above_km = (site.height_m - land.base_level_m) * 0.001F;
  // Ground that rises towards the equator faces away from it, and gets less sun.
  const float facing = std::clamp(site.equator_slope, -1.0F, 1.0F);
  const float mean_c = land.temperature_c + land.latitude_c * latitude.warmth;
  const float warmth = mean_c - land.lapse_c * above_km + chance.warmth - 1.8F * facing;
  const float mean_mm = land.rain_mm * (1 + land.latitude_rain * latitude.rain);
  const float rain_mm = mean_mm * (1 + 0.25F * std::clamp(above_km, 0.0F, 2.0F));
  // Water gathers where much ground drains to and the slope is low (Beven & Kirkby 1979).
  const float wetness =
      kernels::logarithm(std::max(site.area_m2 / land.cell_m / (slope + 0.01F), 1.0F));
  const float humidity = Humidity(rain_mm, warmth);
  const float moisture =
      humidity * (1 + chance.moisture) +
      std::min(2 * humidity, 1.0F) * std::clamp(0.035F * (wetness - 9), -0.1F, 0.35F) +
      0.5F * chance.moisture - 0.12F * std::min(slope, 1.5F) - 0.05F * facing;
  const float lush = std::clamp(moisture, 0.0F, 1.0F);
  const float cold = Smooth(1.5F, -2.0F, warmth);

  Layers layers;
  layers.Put(v1::COVER_WATER, WaterShare(site.depth_m, land.cell_m));
  const bool runs = humidity > 0.22F;
  layers.Put(v1::COVER_RIVER, runs ? site.river : 0);
  layers.Put(v1::COVER_SAND, runs ? 0 : site.river);
  // Without precipitation there is no snow, however cold it is.
  const float falls = Smooth(0, 1, rain_mm);
  layers.Put(v1::COVER_SNOW, falls * Smooth(-3.0F, -6.5F, warmth) * Smooth(1.3F, 0.75F, slope));
  const float bare_from = 0.66F + 0.28F * lush - 0.14F * cold + 0.25F * chance.moisture;
  const float guessed = 1 - land.shows_rock;
  // An edge of rock is as sharp as a cell.
  const float bare = Smooth(0.65F, 0.35F, site.loose_m * (1 / kLooseM));
  layers.Put(v1::COVER_ROCK,
             land.shows_rock * bare + guessed * Smooth(bare_from, bare_from + 0.3F, slope));
  // Stones lie under rock, and on slopes that are too steep for soil.
  layers.Put(v1::COVER_SCREE, land.shows_rock * Smooth(bare_from, bare_from + 0.2F, slope));
  const float over_base_m = site.height_m - land.base_level_m + 2 * chance.moisture;
  // The beach is only as wide as waves reach, and flats are wetland: waves don't reach them. Where
  // it is cold, shores are rock.
  const float shore_m = std::max(over_base_m, 0.0F) / std::max(slope, 0.004F);
  const float beach =
      Smooth(100, 50, shore_m) * Smooth(0.004F, 0.012F, slope) * std::min(40 / land.cell_m, 1.0F);
  // Where cells are small, hummocks would be beaches: how far the sea is can't be told from slopes
  // of so small parts.
  const float low = Smooth(0.9F, 0.5F, over_base_m);
  layers.Put(v1::COVER_BEACH,
             land.sea *
                 ((1 - land.near) * beach * Smooth(4.5F, 2.0F, over_base_m) + land.near * low) *
                 Smooth(0.22F, 0.1F, slope) * Smooth(4, 13, warmth));
  layers.Put(v1::COVER_SALT,
             land.basins * Smooth(1.2F, -0.3F, over_base_m) * Smooth(0.06F, 0.02F, slope));
  layers.Put(v1::COVER_SCREE, 0.8F * cold * Smooth(0.48F, 0.62F, slope));
  // Wetland: where much water arrives, or where the sea holds water back. Slopes of hummocks don't
  // drain it.
  const float level = Smooth(0.02F, 0.004F, slope);
  const float plain = (1 - land.near) * level + land.near * Smooth(0.2F, 0.08F, slope);
  const float soaked =
      std::max(level * Smooth(15, 19, wetness), plain * land.sea * Smooth(2.2F, 0.6F, over_base_m));
  layers.Put(v1::COVER_WETLAND, soaked * Smooth(0.4F, 0.8F, moisture));
  layers.Put(v1::COVER_FOREST, Smooth(0.58F, 0.8F, moisture) * Smooth(0.3F, 2.2F, warmth));
  layers.Put(v1::COVER_SHRUB, 0.75F * Smooth(0.26F, 0.5F, moisture) * Smooth(-1.5F, 1.0F, warmth));
  layers.Put(v1::COVER_GRASS, Smooth(0.2F, 0.48F, moisture) * Smooth(-5.0F, -2.0F, warmth));
  layers.Put(v1::COVER_SCREE, cold);
  layers.Put(v1::COVER_ROCK, guessed * Smooth(0.3F, 0.5F, slope));
  layers.Put(v1::COVER_SAND, Smooth(0.16F, 0.06F, moisture) * Smooth(0.2F, 0.06F, slope));
  return layers.Finish(v1::COVER_SOIL);
}

const CoverShares& CoverPainter::Paint(std::span<const kernels::Place> places,
                                       std::span<const CoverSite> sites) {
  MakeChances(places);
  const Land land = land_;
  const std::size_t count = places.size();
  std::array<float*, kCoverClasses> shares;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    shares_[c].resize(count);
    shares[c] = shares_[c].data();
  }
  const CoverSite* const site = sites.data();
  const Chance* const chance = chances_.data();
  THALWEG_INDEPENDENT for (std::size_t k = 0; k < count; ++k) {
    const std::array<float, kCoverClasses> here = SharesAt(land, site[k], chance[k]);
    for (std::size_t c = 0; c < here.size(); ++c) shares[c][k] = here[c];
  }
  return shares_;
}

void PackCover(const CoverShares& shares, int step, std::span<std::int32_t> packed) {
  Ranks ranks(packed.size());
  for (std::size_t c = 0; c < shares.size(); ++c) {
    // Most classes are nowhere in a row, and a class without a share is never packed.
    const auto shown = [](float part) { return part > 0; };
    if (std::none_of(shares[c].begin(), shares[c].end(), shown)) continue;
    ranks.Add(static_cast<std::int32_t>(c), shares[c]);
  }
  ranks.Pack(step, packed);
}

}  // namespace thalweg::tile
