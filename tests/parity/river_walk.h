// Rivers on ground, as what they look like from outside: much flow in vertices that fall.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/parity/chain.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::parity {

// The cells of the last level of rivers, and the area where its channels begin.
inline constexpr double kRiversCellM = 16;
inline constexpr double kChannelM2 = 15'000;

// A specification whose first levels have rivers, up to `last_of_rivers`, and whose finer levels
// have ground of random numbers with rivers. Its cells' size or its radius is missing.
v1::WorldSpec SpecOfRivers(std::uint64_t seed, int last_of_rivers, int levels);

// A square of a level.
struct RiverGround {
  Vertices at;
  std::vector<std::int32_t> height;
  std::vector<std::int32_t> flow;
  // More flow than a level's hillsides have.
  double least_flow = 0;

  std::size_t Index(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((y - at.y) * at.width + x - at.x);
  }
  // Whether the vertex and its neighbours are here.
  bool HasAround(std::int64_t x, std::int64_t y) const {
    return x > at.x && y > at.y && x + 1 < at.x + at.width && y + 1 < at.y + at.height;
  }
  bool IsRiver(std::int64_t x, std::int64_t y) const { return flow[Index(x, y)] > least_flow; }
};

// levels_below: how many levels finer it is than the last level of rivers. read: its values of a
// layer.
RiverGround ReadRivers(const Vertices& at, int levels_below,
                       const std::function<std::vector<std::int32_t>(backend::Layer)>& read);

struct GroundVertex {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

// The end of the way from a river's vertex to the lowest vertex of the river around, again and
// again, as long as it falls.
GroundVertex FollowDown(const RiverGround& ground, GroundVertex from);

// How many of the rivers of a coarse level were followed.
struct Walked {
  int rivers = 0;
  // Where a river is missing in the finer level, or ends there and not in the coarser one; or "".
  std::string lost;
};

// Follows each seventh vertex of rivers in both. fine: the same square, with cells of 1/scale.
Walked WalkRivers(const RiverGround& coarse, const RiverGround& fine, int scale);

}  // namespace thalweg::parity
