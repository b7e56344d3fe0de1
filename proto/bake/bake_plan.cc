#include "proto/bake/bake_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/tile_key.h"

namespace thalweg::bake {
namespace {

constexpr std::size_t kBlocksPerShard = 8;

// Moves bit n to bit 2n.
std::uint64_t Spread(std::uint32_t bits) {
  std::uint64_t spread = 0;
  for (int bit = 0; bit < 32; ++bit) {
    spread |= ((std::uint64_t{bits} >> bit) & 1) << (2 * bit);
  }
  return spread;
}

// Parts have coordinates of fewer than 32 bits, which may be negative.
std::uint64_t MortonOf(const Part& part) {
  constexpr std::int64_t kBias = std::int64_t{1} << 31;
  const auto biased = [](std::int64_t at) { return static_cast<std::uint32_t>(at + kBias); };
  return Spread(biased(part.x)) | Spread(biased(part.y)) << 1;
}

// Returns where each block of 2^bits parts on a side begins among sorted codes.
std::vector<std::size_t> BlocksOf(const std::vector<std::uint64_t>& codes, int bits) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i == 0 || codes[i] >> (2 * bits) != codes[i - 1] >> (2 * bits)) begins.push_back(i);
  }
  return begins;
}

}  // namespace

std::optional<int> IndexInArray() {
  for (const char* name :
       {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"}) {
    const char* const text = std::getenv(name);
    int index = -1;
    if (text != nullptr && absl::SimpleAtoi(text, &index)) return index;
  }
  return std::nullopt;
}

absl::Status CheckSides(const Area& area) {
  for (const auto& [name, side] : {std::pair{"width", area.width}, {"height", area.height}}) {
    if (side >= 1 && side <= kMaxSide) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("invalid ", name, ": expected 1 to ", kMaxSide, " vertices, got ", side));
  }
  return absl::OkStatus();
}

absl::Status CheckArea(const Area& area, std::int64_t max_vertex) {
  if (absl::Status sides = CheckSides(area); !sides.ok()) return sides;
  const bool inside = area.x0 >= -max_vertex && area.y0 >= -max_vertex &&
                      area.x0 <= max_vertex - area.width + 1 &&
                      area.y0 <= max_vertex - area.height + 1;
  if (inside) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat("invalid region: expected vertices from -", max_vertex,
                                            " to ", max_vertex, ", got ", area.width, " x ",
                                            area.height, " from ", area.x0, ", ", area.y0));
}

Area Clipped(const Area& area, const Part& part) {
  Area clipped = area;
  clipped.x0 = std::max(area.x0, part.x * kPartSide);
  clipped.y0 = std::max(area.y0, part.y * kPartSide);
  clipped.width = std::min(area.x0 + area.width, (part.x + 1) * kPartSide) - clipped.x0;
  clipped.height = std::min(area.y0 + area.height, (part.y + 1) * kPartSide) - clipped.y0;
  return clipped;
}

std::vector<Part> PartsOf(const Area& area, const Shard& shard) {
  const std::int64_t last_x = wire::FloorDivide(area.x0 + area.width - 1, kPartSide);
  const std::int64_t last_y = wire::FloorDivide(area.y0 + area.height - 1, kPartSide);
  std::vector<Part> parts;
  for (std::int64_t y = wire::FloorDivide(area.y0, kPartSide); y <= last_y; ++y) {
    for (std::int64_t x = wire::FloorDivide(area.x0, kPartSide); x <= last_x; ++x)
      parts.push_back({x, y});
  }
  std::ranges::sort(parts, {}, MortonOf);
  if (shard.count == 1) return parts;

  std::vector<std::uint64_t> codes;
  codes.reserve(parts.size());
  for (const Part& part : parts) codes.push_back(MortonOf(part));
  const std::size_t enough = kBlocksPerShard * static_cast<std::size_t>(shard.count);
  std::vector<std::size_t> begins = BlocksOf(codes, 0);
  for (int bits = 1; bits < 32; ++bits) {
    std::vector<std::size_t> larger = BlocksOf(codes, bits);
    if (larger.size() < enough) break;
    begins = std::move(larger);
  }
  begins.push_back(parts.size());
  const auto begin_of = [&](int index) {
    const std::size_t blocks = begins.size() - 1;
    return begins[blocks * static_cast<std::size_t>(index) / static_cast<std::size_t>(shard.count)];
  };
  return {parts.begin() + static_cast<std::ptrdiff_t>(begin_of(shard.index)),
          parts.begin() + static_cast<std::ptrdiff_t>(begin_of(shard.index + 1))};
}

}  // namespace thalweg::bake
