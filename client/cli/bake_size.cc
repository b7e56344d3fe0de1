#include "client/cli/bake_size.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "proto/wire/invalid.h"

namespace thalweg::cli {
namespace {

constexpr std::array<std::int64_t, 8> kUnitySizes = {33, 65, 129, 257, 513, 1025, 2049, 4097};
constexpr std::array<std::int64_t, 7> kUnrealSizes = {127, 253, 505, 1009, 2017, 4033, 8129};

std::string Around(std::span<const std::int64_t> sizes, std::int64_t size) {
  const auto above = std::ranges::upper_bound(sizes, size);
  if (above == sizes.begin()) return absl::StrCat(*above);
  if (above == sizes.end()) return absl::StrCat(sizes.back());
  return absl::StrCat(*(above - 1), " or ", *above);
}

}  // namespace

absl::Status CheckSizeFor(Engine engine, std::int64_t width, std::int64_t height) {
  if (engine == Engine::kAny) return absl::OkStatus();
  const bool unity = engine == Engine::kUnity;
  const std::span<const std::int64_t> sizes = unity ? std::span<const std::int64_t>(kUnitySizes)
                                                    : std::span<const std::int64_t>(kUnrealSizes);
  const bool known = std::ranges::find(sizes, width) != sizes.end();
  if (width == height && known) return absl::OkStatus();
  return wire::Invalid(
      "size",
      absl::StrCat("a square that ", unity ? "Unity" : "Unreal", " imports, such as ",
                   Around(sizes, std::max(width, height)), " vertices on a side"),
      absl::StrCat(width, " x ", height));
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
