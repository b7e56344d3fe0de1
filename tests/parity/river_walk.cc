#include "tests/parity/river_walk.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

// A river's vertex of the finer level within a cell of a vertex of the coarser one.
std::optional<GroundVertex> RiverNear(const RiverGround& fine, GroundVertex at, int scale) {
  std::optional<GroundVertex> found;
  for (std::int64_t y = (at.y - 1) * scale; y <= (at.y + 1) * scale; ++y) {
    for (std::int64_t x = (at.x - 1) * scale; x <= (at.x + 1) * scale; ++x) {
      if (fine.IsRiver(x, y)) found = {x, y};
    }
  }
  return found;
}

}  // namespace

v1::WorldSpec SpecOfRivers(std::uint64_t seed, int last_of_rivers, int levels) {
  v1::WorldSpec spec;
  spec.set_name("ground");
  spec.set_seed(seed);
  spec.set_levels(static_cast<std::uint32_t>(levels));
  auto& base = *spec.mutable_base()->mutable_fbm();
  base.set_wavelength_m(20'000);
  base.set_amplitude(900);
  base.set_octaves(5);
  v1::LevelRule& coarse = *spec.add_rules();
  coarse.set_to_level(static_cast<std::uint32_t>(last_of_rivers));
  v1::Rivers& rivers = *coarse.add_stages()->mutable_rivers();
  rivers.set_steepness(8);
  rivers.set_channel_area_m2(kChannelM2);
  v1::LevelRule& fine = *spec.add_rules();
  fine.set_from_level(static_cast<std::uint32_t>(last_of_rivers + 1));
  Random random(seed);
  *fine.add_stages() = RandomGround(random);
  v1::Ground& ground = *fine.mutable_stages(0)->mutable_ground();
  ground.mutable_rivers()->set_from_area_m2(kChannelM2);
  ground.set_displacement(0.9);
  ground.clear_coast();  // no sea
  return spec;
}

RiverGround ReadRivers(const Vertices& at, int levels_below,
                       const std::function<std::vector<std::int32_t>(backend::Layer)>& read) {
  const double cells = kChannelM2 / (kRiversCellM * kRiversCellM);
  return {at, read(backend::Layer::kHeight), read(backend::Layer::kFlow),
          256 * 1.05 * cells * (1 << levels_below)};
}

GroundVertex FollowDown(const RiverGround& ground, GroundVertex from) {
  while (ground.HasAround(from.x, from.y)) {
    GroundVertex lowest = from;
    for (int k = 0; k < 9; ++k) {
      const GroundVertex next{from.x + k % 3 - 1, from.y + k / 3 - 1};
      if (!ground.IsRiver(next.x, next.y)) continue;
      if (ground.height[ground.Index(next.x, next.y)] <
          ground.height[ground.Index(lowest.x, lowest.y)]) {
        lowest = next;
      }
    }
    if (lowest.x == from.x && lowest.y == from.y) break;
    from = lowest;
  }
  return from;
}

Walked WalkRivers(const RiverGround& coarse, const RiverGround& fine, int scale) {
  Walked walked;
  const Vertices& all = coarse.at;
  for (std::int64_t y = all.y + 3; y < all.y + all.height - 3; y += 7) {
    for (std::int64_t x = all.x + 3; x < all.x + all.width - 3; x += 7) {
      if (!coarse.IsRiver(x, y)) continue;
      ++walked.rivers;
      const std::optional<GroundVertex> begin = RiverNear(fine, {x, y}, scale);
      if (!begin) {
        absl::StrAppend(&walked.lost, "no river at ", x, ", ", y, "; ");
        continue;
      }
      const GroundVertex end = FollowDown(fine, *begin);
      const GroundVertex coarse_end = FollowDown(coarse, {x, y});
      if (fine.HasAround(end.x, end.y) != coarse.HasAround(coarse_end.x, coarse_end.y)) {
        absl::StrAppend(&walked.lost, "from ", begin->x, ", ", begin->y, " to ", end.x, ", ", end.y,
                        "; ");
      }
    }
  }
  return walked;
}

}  // namespace thalweg::parity
