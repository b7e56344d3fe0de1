#include "client/survey/deep_pits.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <functional>
#include <limits>

#include "client/survey/neighbours.h"

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

}  // namespace thalweg::survey
