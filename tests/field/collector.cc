#include "tests/field/collector.h"

#include <cstdint>
#include <utility>

#include "proto/wire/tile_key.h"
#include "tests/field/fake_backend.h"

namespace thalweg::field {

Field::Done Collector::For(int number) {
  return [this, number](absl::StatusOr<TileValues> values) {
    // As if the tile were encoded now.
    if (values.ok()) values->share = nullptr;
    const std::lock_guard lock(mutex_);
    ++answers_;
    order_.push_back(number);
    if (!by_number_.emplace(number, std::move(values)).second) ++repeated_;
    changed_.notify_all();
  };
}

void Collector::Await(std::size_t answers) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return answers_ >= answers; });
}

std::size_t Collector::answers() const {
  const std::lock_guard lock(mutex_);
  return answers_;
}

std::vector<int> Collector::Order() const {
  const std::lock_guard lock(mutex_);
  return order_;
}

int Collector::repeated() const {
  const std::lock_guard lock(mutex_);
  return repeated_;
}

absl::StatusOr<TileValues> Collector::Answer(int number) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return absl::NotFoundError("no answer yet");
  return found->second;
}

std::size_t WrongValues(const TileRequest& request, const TileValues& values) {
  const int side = wire::kTileVertices + 2 * request.margin;
  const std::size_t vertices = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  if (values.planes.size() != request.layers.size()) return vertices;
  std::size_t wrong = 0;
  for (std::size_t plane = 0; plane < values.planes.size(); ++plane) {
    if (values.planes[plane].size() != vertices) return vertices;
    std::size_t at = 0;
    for (int row = -request.margin; row < side - request.margin; ++row) {
      for (int column = -request.margin; column < side - request.margin; ++column) {
        const std::int32_t expected = FakeValue(
            request.world->level(0).seed_low, request.key.level, request.layers[plane],
            request.key.x * wire::kTileCells + column, request.key.y * wire::kTileCells + row);
        wrong += values.planes[plane][at++] == expected ? 0 : 1;
      }
    }
  }
  return wrong;
}

}  // namespace thalweg::field
