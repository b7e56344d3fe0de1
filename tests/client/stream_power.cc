#include "tests/client/stream_power.h"

#include <cmath>
#include <functional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

namespace thalweg::client_test {
namespace {

constexpr int kSteps = 120;
// The rise of the ground in a step.
constexpr double kTimeStep = 20;
constexpr double kSteepness = 12;

class StreamPower {
 public:
  StreamPower(int side, double concavity, std::uint64_t seed)
      : side_(side),
        concavity_(concavity),
        heights_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0),
        receivers_(heights_.size()),
        lengths_(heights_.size(), 0) {
    GrowRandomTree(seed);
    SolveSteadyState();
    for (int step = 0; step < kSteps; ++step) {
      FindReceivers();
      SortDownstreamFirst();
      SumAreas();
      Erode();
    }
    FindReceivers();
    SortDownstreamFirst();
    SumAreas();
    SolveSteadyState();
  }

  std::vector<double> TakeHeights() { return std::move(heights_); }

 private:
  bool IsEdge(std::size_t cell) const {
    const std::size_t side = static_cast<std::size_t>(side_);
    const std::size_t x = cell % side;
    const std::size_t y = cell / side;
    return x == 0 || y == 0 || x == side - 1 || y == side - 1;
  }

  template <typename Visit>
  void ForEachNeighbour(std::size_t cell, const Visit& visit) const {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0) continue;
        visit(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + dy * side_ + dx),
              std::hypot(dx, dy));
      }
    }
  }

  // Grows a tree from the edge. Each step adds the neighbour with the smallest random number.
  void GrowRandomTree(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<bool> reached(heights_.size(), false);
    using Ranked = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> front;
    for (std::size_t cell = 0; cell < heights_.size(); ++cell) {
      receivers_[cell] = cell;
      if (!IsEdge(cell)) continue;
      reached[cell] = true;
      order_.push_back(cell);
    }
    const auto reach_around = [&](std::size_t cell) {
      ForEachNeighbour(cell, [&](std::size_t neighbour, double length) {
        if (reached[neighbour]) return;
        reached[neighbour] = true;
        receivers_[neighbour] = cell;
        lengths_[neighbour] = length;
        front.emplace(random(), neighbour);
      });
    };
    const auto side = static_cast<std::size_t>(side_);
    for (std::size_t y = 1; y + 1 < side; ++y) {
      for (std::size_t x = 1; x + 1 < side; ++x) {
        if (x != 1 && y != 1 && x + 2 != side && y + 2 != side) continue;
        const std::size_t cell = y * side + x;
        reached[cell] = true;
        receivers_[cell] = x == 1          ? cell - 1
                           : x + 2 == side ? cell + 1
                           : y == 1        ? cell - side
                                           : cell + side;
        lengths_[cell] = 1;
        front.emplace(random(), cell);
      }
    }
    while (!front.empty()) {
      const std::size_t cell = front.top().second;
      front.pop();
      order_.push_back(cell);
      reach_around(cell);
    }
    SumAreas();
  }

  void FindReceivers() {
    for (std::size_t cell = 0; cell < heights_.size(); ++cell) {
      receivers_[cell] = cell;
      if (IsEdge(cell)) continue;
      double steepest = 0;
      ForEachNeighbour(cell, [&](std::size_t neighbour, double length) {
        const double slope = (heights_[cell] - heights_[neighbour]) / length;
        if (slope <= steepest) return;
        steepest = slope;
        receivers_[cell] = neighbour;
        lengths_[cell] = length;
      });
    }
  }

  // Orders cells so that each comes after its receiver: walks up the donors from every outlet.
  void SortDownstreamFirst() {
    std::vector<std::size_t> first(heights_.size() + 1, 0);
    for (std::size_t cell = 0; cell < heights_.size(); ++cell) {
      if (receivers_[cell] != cell) ++first[receivers_[cell] + 1];
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::size_t> donors(first.back());
    std::vector<std::size_t> next = first;
    order_.clear();
    for (std::size_t cell = 0; cell < heights_.size(); ++cell) {
      if (receivers_[cell] == cell) {
        order_.push_back(cell);
      } else {
        donors[next[receivers_[cell]]++] = cell;
      }
    }
    // order_ grows during this walk.
    std::size_t walked = 0;
    while (walked < order_.size()) {
      const std::size_t cell = order_[walked++];
      for (std::size_t d = first[cell]; d < first[cell + 1]; ++d) order_.push_back(donors[d]);
    }
  }

  void SumAreas() {
    areas_.assign(heights_.size(), 1);
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::size_t cell = order_[i];
      if (receivers_[cell] != cell) areas_[receivers_[cell]] += areas_[cell];
    }
  }

  // An implicit time step, from the outlets up. Receivers stay lower than their donors.
  void Erode() {
    for (const std::size_t cell : order_) {
      if (receivers_[cell] == cell) continue;
      const double cut =
          kTimeStep / kSteepness * std::pow(areas_[cell], concavity_) / lengths_[cell];
      heights_[cell] = (heights_[cell] + kTimeStep + cut * heights_[receivers_[cell]]) / (1 + cut);
    }
  }

  void SolveSteadyState() {
    for (const std::size_t cell : order_) {
      if (receivers_[cell] == cell) continue;
      heights_[cell] = heights_[receivers_[cell]] +
                       kSteepness * std::pow(areas_[cell], -concavity_) * lengths_[cell];
    }
  }

  int side_;
  double concavity_;
  std::vector<double> heights_;
  // Outlets are their own receivers.
  std::vector<std::size_t> receivers_;
  std::vector<double> lengths_;
  std::vector<double> areas_;
  std::vector<std::size_t> order_;
};

}  // namespace

survey::Grid<double> StreamPowerLandscape(int side, double concavity, std::uint64_t seed) {
  return {side, side, StreamPower(side, concavity, seed).TakeHeights()};
}

}  // namespace thalweg::client_test
