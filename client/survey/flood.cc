#include "client/survey/flood.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "client/survey/neighbours.h"

namespace thalweg::survey {
namespace {

// A number that is less where the height is less.
std::uint64_t KeyOf(double height) {
  // 0 and -0 are the same height.
  const auto bits = std::bit_cast<std::uint64_t>(height + 0.0);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return (bits & kSign) == 0 ? bits | kSign : ~bits;
}

// The front of a flood: cells by their levels, those of one level in the order in which they came.
// A radix heap (Ahuja, Mehlhorn, Orlin & Tarjan 1990): no cell may come that is lower than the last
// one that left, so cells only need to be apart from those that differ from it in a higher bit.
class Front {
 public:
  void Push(double level, std::int32_t cell) {
    const std::uint64_t key = KeyOf(level);
    buckets_[BucketOf(key)].push_back({key, cell});
    ++size_;
  }

  bool IsEmpty() const { return size_ == 0; }

  // Takes the first cell out.
  std::int32_t Pop() {
    if (taken_ == buckets_[0].size()) Refill();
    --size_;
    return buckets_[0][taken_++].cell;
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::int32_t cell;
  };

  std::size_t BucketOf(std::uint64_t key) const {
    return static_cast<std::size_t>(std::bit_width(key ^ last_));
  }

  // Moves the lowest cells to the first bucket, whose cells all have the key last_.
  void Refill() {
    buckets_[0].clear();
    taken_ = 0;
    const auto lowest = std::ranges::find_if(buckets_, [](const auto& b) { return !b.empty(); });
    last_ = std::ranges::min(*lowest, {}, &Entry::key).key;
    moved_.swap(*lowest);
    for (const Entry& entry : moved_) buckets_[BucketOf(entry.key)].push_back(entry);
    moved_.clear();
  }

  std::array<std::vector<Entry>, 65> buckets_;
  std::uint64_t last_ = 0;
  // How many cells of the first bucket have left.
  std::size_t taken_ = 0;
  std::size_t size_ = 0;
  std::vector<Entry> moved_;
};

}  // namespace

Flood FloodFromOutlets(Grid<double> ground_m, std::optional<double> sea_level_m,
                       std::span<const std::int32_t> sinks, std::vector<std::uint8_t> walls) {
  const int width = ground_m.width;
  const int height = ground_m.height;
  const std::size_t cells = ground_m.values.size();
  Flood flood{std::move(ground_m), std::vector<std::int32_t>(cells, kOutlet), {}};
  flood.order.reserve(cells);
  // Of cells that the flood has not reached, it is the ground.
  Grid<double>& surface_m = flood.surface_m;
  std::vector<std::uint8_t> reached = std::move(walls);
  reached.resize(cells, 0);
  std::vector<std::uint8_t> sinks_here(cells, 0);
  for (const std::int32_t sink : sinks) sinks_here[static_cast<std::size_t>(sink)] = 1;
  Front front;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t cell = surface_m.Index(x, y);
      if (reached[cell] != 0) continue;
      const double level = surface_m.values[cell];
      const bool is_outlet =
          sinks_here[cell] != 0 || surface_m.IsEdge(x, y) || (sea_level_m && level < *sea_level_m);
      if (!is_outlet) continue;
      front.Push(level, static_cast<std::int32_t>(cell));
      reached[cell] = 1;
    }
  }
  while (!front.IsEmpty()) {
    const std::int32_t index = front.Pop();
    flood.order.push_back(index);
    const double here_m = surface_m.values[static_cast<std::size_t>(index)];
    const int cell_x = index % width;
    const int cell_y = index / width;
    for (const Step& step : kSteps) {
      const int x = cell_x + step.dx;
      const int y = cell_y + step.dy;
      if (!surface_m.Contains(x, y)) continue;
      const std::size_t neighbour = surface_m.Index(x, y);
      if (reached[neighbour] != 0) continue;
      reached[neighbour] = 1;
      double& level = surface_m.values[neighbour];
      level = std::max(level, here_m);
      flood.source[neighbour] = index;
      front.Push(level, static_cast<std::int32_t>(neighbour));
    }
  }
  return flood;
}

}  // namespace thalweg::survey
