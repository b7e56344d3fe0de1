#include "client/tools/survey/depressions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace thalweg::survey {
namespace {

constexpr std::int32_t kDry = -1;

// Depressions, which a rising water level fills and joins. Each is identified by its lowest vertex.
class Depressions {
 public:
  Depressions(const Grid<double>& surface, double outlet)
      : surface_(surface), outlet_(outlet), lower_(surface.values.size(), kDry) {}

  bool IsFilled(std::size_t vertex) const { return lower_[vertex] != kDry; }
  void Fill(std::size_t vertex) { lower_[vertex] = static_cast<std::int32_t>(vertex); }

  std::size_t LowestOf(std::size_t vertex) {
    while (lower_[vertex] != static_cast<std::int32_t>(vertex)) {
      const auto next = static_cast<std::size_t>(lower_[vertex]);
      lower_[vertex] = lower_[next];
      vertex = next;
    }
    return vertex;
  }

  // A depression's lowest height; -infinity if water leaves: at the edge, or at or below outlet_.
  double Bottom(std::size_t lowest) const {
    const auto width = static_cast<std::size_t>(surface_.width);
    const bool is_edge =
        surface_.IsEdge(static_cast<int>(lowest % width), static_cast<int>(lowest / width));
    const bool drains = is_edge || surface_.values[lowest] <= outlet_;
    return drains ? -std::numeric_limits<double>::infinity() : surface_.values[lowest];
  }

  // Joins two depressions and returns the higher one, which becomes part of the lower one.
  std::size_t Join(std::size_t a, std::size_t b) {
    if (Bottom(a) > Bottom(b) || (Bottom(a) == Bottom(b) && a > b)) std::swap(a, b);
    lower_[b] = static_cast<std::int32_t>(a);
    return b;
  }

 private:
  const Grid<double>& surface_;
  const double outlet_;
  std::vector<std::int32_t> lower_;
};

struct Vertex {
  double height = 0;
  std::int32_t index = 0;

  auto operator<=>(const Vertex&) const = default;
};

// Returns the vertices from the lowest to the highest, with their heights beside them: sorted by
// their places in the surface, each comparison would wait for memory.
std::vector<Vertex> Rising(const Grid<double>& surface) {
  std::vector<Vertex> rising;
  rising.reserve(surface.values.size());
  for (const double height : surface.values) {
    rising.push_back({height, static_cast<std::int32_t>(rising.size())});
  }
  std::ranges::sort(rising, std::less<>());
  return rising;
}

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

double Share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Returns the range of the water's level in this cell's lake. Removes the lake's cells from `wet`.
double RemoveLake(const Grid<double>& water_m, std::size_t first, std::vector<std::uint8_t>& wet) {
  wet[first] = 0;
  const std::vector<std::size_t> lake =
      RegionOf(water_m.width, water_m.height, first, [&wet](std::size_t cell) {
        const bool is_wet = wet[cell] != 0;
        wet[cell] = 0;
        return is_wet;
      });
  const auto [min, max] =
      std::ranges::minmax(lake, {}, [&water_m](std::size_t cell) { return water_m.values[cell]; });
  return water_m.values[max] - water_m.values[min];
}

}  // namespace

std::vector<std::int32_t> DeepPits(const Grid<double>& surface, double outlet, double min_depth) {
  Depressions depressions(surface, outlet);
  std::vector<std::int32_t> pits;
  for (const auto& [level, index] : Rising(surface)) {
    const auto vertex = static_cast<std::size_t>(index);
    depressions.Fill(vertex);
    for (const Step& step : kSteps) {
      const int x = index % surface.width + step.dx;
      const int y = index / surface.width + step.dy;
      if (!surface.Contains(x, y)) continue;
      const std::size_t neighbour = surface.Index(x, y);
      if (!depressions.IsFilled(neighbour)) continue;
      const std::size_t mine = depressions.LowestOf(vertex);
      const std::size_t theirs = depressions.LowestOf(neighbour);
      if (mine == theirs) continue;
      const std::size_t higher = depressions.Join(mine, theirs);
      if (level - depressions.Bottom(higher) > min_depth && depressions.Bottom(higher) > outlet) {
        pits.push_back(static_cast<std::int32_t>(higher));
      }
    }
  }
  return pits;
}

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

Grid<double> StandingWater(const Grid<double>& ground_m, const Grid<double>* water_m,
                           std::optional<double> sea_level_m) {
  Grid<double> surface = ground_m;
  for (std::size_t i = 0; i < surface.values.size(); ++i) {
    double& level = surface.values[i];
    if (water_m != nullptr) level = std::max(level, water_m->values[i]);
    if (sea_level_m) level = std::max(level, *sea_level_m);
  }
  return surface;
}

CellShare PitShare(const Grid<double>& ground_m, const Grid<double>& water_m) {
  std::size_t pits = 0;
  std::size_t dry = 0;
  for (int y = 1; y + 1 < ground_m.height; ++y) {
    for (int x = 1; x + 1 < ground_m.width; ++x) {
      const double level = ground_m.At(x, y);
      const bool is_pit = std::all_of(kSteps.begin(), kSteps.end(), [&](const Step& step) {
        return level < ground_m.At(x + step.dx, y + step.dy);
      });
      if (!is_pit) continue;
      ++pits;
      if (water_m.At(x, y) <= level) ++dry;
    }
  }
  const auto inner_columns = static_cast<std::size_t>(std::max(ground_m.width - 2, 0));
  const auto inner_rows = static_cast<std::size_t>(std::max(ground_m.height - 2, 0));
  return {Share(pits, inner_columns * inner_rows), Share(dry, inner_columns * inner_rows)};
}

CellShare DepressionShare(const Grid<double>& ground_m, const Grid<double>& water_m,
                          const Flood& flood) {
  std::size_t filled = 0;
  std::size_t dry = 0;
  for (std::size_t i = 0; i < ground_m.values.size(); ++i) {
    if (flood.surface_m.values[i] <= ground_m.values[i]) continue;
    ++filled;
    if (water_m.values[i] <= ground_m.values[i]) ++dry;
  }
  return {Share(filled, ground_m.values.size()), Share(dry, ground_m.values.size())};
}

double WetShare(const Grid<double>& ground_m, const Grid<double>& water_m) {
  std::size_t wet = 0;
  for (std::size_t i = 0; i < ground_m.values.size(); ++i) {
    if (water_m.values[i] > ground_m.values[i]) ++wet;
  }
  return Share(wet, ground_m.values.size());
}

Lakes MeasureLakes(const Grid<double>& ground_m, const Grid<double>& water_m,
                   std::optional<double> sea_level_m) {
  // Half a height unit: heights are rounded to their unit, the sea's level is not.
  constexpr double kHalfUnitM = 0.5 / 65536;
  std::vector<std::uint8_t> wet(ground_m.values.size());
  for (std::size_t i = 0; i < wet.size(); ++i) {
    const double level = water_m.values[i];
    const bool is_sea = sea_level_m && level <= *sea_level_m + kHalfUnitM;
    wet[i] = level > ground_m.values[i] && !is_sea ? 1 : 0;
  }
  Lakes lakes;
  for (std::size_t i = 0; i < wet.size(); ++i) {
    if (wet[i] == 0) continue;
    ++lakes.count;
    lakes.largest_spread_m = std::max(lakes.largest_spread_m, RemoveLake(water_m, i, wet));
  }
  return lakes;
}

}  // namespace thalweg::survey
