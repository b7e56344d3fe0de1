#include "client/tools/cli/bake_size.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "proto/wire/invalid.h"

namespace thalweg::cli {
namespace {

constexpr std::array<std::int64_t, 8> kUnitySizes = {33, 65, 129, 257, 513, 1025, 2049, 4097};

// Unreal divides a side into components of one or two sections of so many quads, and has 32 of them
// at most (its Landscape Technical Guide).
constexpr std::array<std::int64_t, 6> kUnrealQuads = {7, 15, 31, 63, 127, 255};
constexpr std::int64_t kUnrealComponents = 32;

bool IsUnrealSize(std::int64_t width, std::int64_t height) {
  for (const std::int64_t quads : kUnrealQuads) {
    for (const std::int64_t component : {quads, 2 * quads}) {
      const auto fits = [component](std::int64_t side) {
        return side > 1 && (side - 1) % component == 0 &&
               (side - 1) / component <= kUnrealComponents;
      };
      if (fits(width) && fits(height)) return true;
    }
  }
  return false;
}

// The squares that Unreal's guide recommends.
constexpr std::array<std::int64_t, 8> kUnrealSizes = {127, 253, 505, 1009, 2017, 4033, 8129, 8161};

std::string Around(std::span<const std::int64_t> sizes, std::int64_t size) {
  const auto above = std::ranges::upper_bound(sizes, size);
  if (above == sizes.begin()) return absl::StrCat(*above);
  if (above == sizes.end()) return absl::StrCat(sizes.back());
  return absl::StrCat(*(above - 1), " or ", *above);
}

}  // namespace

absl::Status CheckSizeFor(Engine engine, std::int64_t width, std::int64_t height) {
  const std::string got = absl::StrCat(width, " x ", height);
  const std::int64_t longer = std::max(width, height);
  switch (engine) {
    case Engine::kAny:
      return absl::OkStatus();
    case Engine::kUnity:
      if (width == height && std::ranges::find(kUnitySizes, width) != kUnitySizes.end()) {
        return absl::OkStatus();
      }
      return wire::Invalid("size",
                           absl::StrCat("a square that Unity imports, such as ",
                                        Around(kUnitySizes, longer), " vertices on a side"),
                           got);
    case Engine::kUnreal:
      if (IsUnrealSize(width, height)) return absl::OkStatus();
      return wire::Invalid("size",
                           absl::StrCat("one that Unreal imports, such as ",
                                        Around(kUnrealSizes, longer), " vertices on a side"),
                           got);
  }
  std::abort();  // every engine is above
}

absl::Status CheckSquares(std::int64_t side, std::int64_t width, std::int64_t height) {
  for (const auto& [name, size] : {std::pair{"--width", width}, {"--height", height}}) {
    const std::int64_t squares = (size - 1) / (side - 1);
    if (squares > 0 && squares * (side - 1) + 1 == size) continue;
    const std::int64_t below = std::max<std::int64_t>(squares, 1) * (side - 1) + 1;
    return wire::Invalid(
        name,
        absl::StrCat("squares of ", side, " vertices that share their edges, such as ", below,
                     " or ", below + side - 1, " vertices"),
        size);
  }
  return absl::OkStatus();
}

}  // namespace thalweg::cli
