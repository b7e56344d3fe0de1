#include "client/tools/survey/streams.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "client/tools/survey/statistics.h"

namespace thalweg::survey {
namespace {

// Returns an inner cell's neighbour of steepest descent; kOutlet if no neighbour is lower.
std::int32_t SteepestDescent(const Grid<double>& surface_m, int x, int y) {
  const auto cell = static_cast<std::int32_t>(surface_m.Index(x, y));
  const double level = surface_m.At(x, y);
  double steepest = 0;
  std::int32_t receiver = kOutlet;
  for (const Step& step : kSteps) {
    const double slope = (level - surface_m.At(x + step.dx, y + step.dy)) / step.length;
    if (slope <= steepest) continue;
    steepest = slope;
    receiver = cell + Offset(step, surface_m.width);
  }
  return receiver;
}

constexpr int kBinsPerAreaDecade = 5;
constexpr int kMinCells = 20;
constexpr std::size_t kMinBins = 3;

constexpr std::size_t kMinBasins = 10;
constexpr std::size_t kMinOrders = 3;

// Returns each cell's donor of largest area, which continues the stream; kOutlet without one.
std::vector<std::int32_t> MainDonors(const Drainage& drainage) {
  std::vector<std::int32_t> main_donor(drainage.receiver.size(), kOutlet);
  for (const std::int32_t cell : drainage.order) {
    const std::int32_t receiver = drainage.receiver[static_cast<std::size_t>(cell)];
    if (receiver == kOutlet) continue;
    std::int32_t& donor = main_donor[static_cast<std::size_t>(receiver)];
    if (donor == kOutlet || drainage.area[static_cast<std::size_t>(donor)] <
                                drainage.area[static_cast<std::size_t>(cell)]) {
      donor = cell;
    }
  }
  return main_donor;
}

}  // namespace

double Drainage::StepLength(std::int32_t cell) const {
  const std::int32_t apart = std::abs(receiver[static_cast<std::size_t>(cell)] - cell);
  return apart == 1 || apart == width ? 1 : std::numbers::sqrt2;
}

Drainage RouteDrainage(const Flood& flood) {
  const Grid<double>& surface_m = flood.surface_m;
  Drainage drainage{surface_m.width, surface_m.height, flood.source, flood.order, {}, {}};
  for (int y = 1; y + 1 < surface_m.height; ++y) {
    for (int x = 1; x + 1 < surface_m.width; ++x) {
      const std::size_t cell = surface_m.Index(x, y);
      if (flood.source[cell] == kOutlet) continue;
      const std::int32_t lower = SteepestDescent(surface_m, x, y);
      if (lower != kOutlet) drainage.receiver[cell] = lower;
    }
  }
  Accumulate(drainage);
  return drainage;
}

void Accumulate(Drainage& drainage) {
  drainage.area.assign(drainage.receiver.size(), 1);
  drainage.length.assign(drainage.receiver.size(), 0);
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    const std::int32_t cell = drainage.order[i];
    const auto from = static_cast<std::size_t>(cell);
    if (drainage.receiver[from] == kOutlet) continue;
    const auto to = static_cast<std::size_t>(drainage.receiver[from]);
    drainage.area[to] += drainage.area[from];
    drainage.length[to] =
        std::max(drainage.length[to], drainage.length[from] + drainage.StepLength(cell));
  }
}

std::optional<double> Sinuosity(const Drainage& drainage) {
  constexpr int kWaySteps = 24;
  constexpr int kMinWays = 20;
  double sum = 0;
  int ways = 0;
  for (std::size_t from = 0; from < drainage.area.size(); ++from) {
    if (drainage.area[from] <= kRiverArea) continue;
    auto cell = static_cast<std::int32_t>(from);
    double way = 0;
    int steps = 0;
    for (; steps < kWaySteps; ++steps) {
      const std::int32_t next = drainage.receiver[static_cast<std::size_t>(cell)];
      if (next == kOutlet) break;
      way += drainage.StepLength(cell);
      cell = next;
    }
    if (steps < kWaySteps) continue;
    const auto start = static_cast<std::int32_t>(from);
    const double chord = std::hypot(cell % drainage.width - start % drainage.width,
                                    cell / drainage.width - start / drainage.width);
    sum += way / std::max(chord, 1.0);
    ++ways;
  }
  if (ways < kMinWays) return std::nullopt;
  return sum / ways;
}

std::optional<double> Concavity(const Grid<double>& ground_m, const Grid<double>& water_m,
                                const Flood& flood, const Drainage& drainage) {
  const auto is_bare = [&](std::size_t cell) {
    return water_m.values[cell] <= ground_m.values[cell] &&
           flood.surface_m.values[cell] <= ground_m.values[cell];
  };
  std::vector<double> areas;
  std::vector<double> slopes;
  for (const std::int32_t cell : drainage.order) {
    const auto from = static_cast<std::size_t>(cell);
    if (drainage.receiver[from] == kOutlet || drainage.area[from] < kChannelArea) continue;
    const auto to = static_cast<std::size_t>(drainage.receiver[from]);
    if (!is_bare(from) || !is_bare(to)) continue;
    const double drop = ground_m.values[from] - ground_m.values[to];
    // Skips ground that is as flat as the filled surface around it.
    if (drop <= 0) continue;
    areas.push_back(drainage.area[from]);
    slopes.push_back(drop / drainage.StepLength(cell));
  }
  const LogBins bins = MeanOverLogBins(areas, slopes, kChannelArea, kBinsPerAreaDecade, kMinCells);
  if (bins.log_x.size() < kMinBins) return std::nullopt;
  const std::optional<double> slope = FitSlope(bins.log_x, bins.log_y);
  if (!slope) return std::nullopt;
  return -*slope;
}

std::optional<double> HackExponent(const Drainage& drainage, int min_area) {
  const std::vector<std::int32_t> main_donor = MainDonors(drainage);
  std::vector<double> log_area;
  std::vector<double> log_length;
  for (const std::int32_t cell : drainage.order) {
    const auto mouth = static_cast<std::size_t>(cell);
    if (drainage.area[mouth] < min_area || drainage.length[mouth] <= 0) continue;
    const std::int32_t receiver = drainage.receiver[mouth];
    if (receiver != kOutlet && main_donor[static_cast<std::size_t>(receiver)] == cell) continue;
    log_area.push_back(std::log(drainage.area[mouth]));
    log_length.push_back(std::log(drainage.length[mouth]));
  }
  if (log_area.size() < kMinBasins) return std::nullopt;
  return FitSlope(log_area, log_length);
}

std::vector<std::uint8_t> StrahlerOrderOfCells(const Drainage& drainage,
                                               const std::vector<std::uint8_t>& is_stream) {
  // The highest order among the donors so far, and how many donors have it.
  struct Donors {
    std::uint8_t order = 0;
    std::uint8_t count = 0;
  };
  std::vector<Donors> donors(drainage.receiver.size());
  std::vector<std::uint8_t> orders(drainage.receiver.size(), 0);
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    const auto cell = static_cast<std::size_t>(drainage.order[i]);
    if (is_stream[cell] == 0) continue;
    const bool begins = donors[cell].count != 1;
    orders[cell] = static_cast<std::uint8_t>(donors[cell].order + (begins ? 1 : 0));
    if (drainage.receiver[cell] == kOutlet) continue;
    Donors& met = donors[static_cast<std::size_t>(drainage.receiver[cell])];
    if (orders[cell] > met.order) met = {orders[cell], 0};
    if (orders[cell] == met.order) ++met.count;
  }
  return orders;
}

std::vector<StreamOrder> StrahlerOrders(const Drainage& drainage, int min_area) {
  std::vector<std::uint8_t> is_stream(drainage.receiver.size(), 0);
  for (std::size_t cell = 0; cell < is_stream.size(); ++cell) {
    is_stream[cell] = drainage.area[cell] >= min_area ? 1 : 0;
  }
  const std::vector<std::uint8_t> order_of = StrahlerOrderOfCells(drainage, is_stream);
  // Whether a donor of the same order continues the stream.
  std::vector<std::uint8_t> continues(drainage.receiver.size(), 0);
  std::vector<StreamOrder> orders;
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    const std::int32_t index = drainage.order[i];
    const auto cell = static_cast<std::size_t>(index);
    if (is_stream[cell] == 0) continue;
    if (orders.size() < order_of[cell]) orders.resize(order_of[cell]);
    StreamOrder& of_order = orders[order_of[cell] - 1U];
    if (continues[cell] == 0) ++of_order.streams;
    if (drainage.receiver[cell] == kOutlet) continue;
    of_order.length += drainage.StepLength(index);
    const auto receiver = static_cast<std::size_t>(drainage.receiver[cell]);
    if (order_of[receiver] == order_of[cell]) continues[receiver] = 1;
  }
  return orders;
}

std::optional<HortonRatios> FitHortonRatios(const std::vector<StreamOrder>& orders) {
  if (orders.size() < kMinOrders) return std::nullopt;
  std::vector<double> order;
  std::vector<double> log_streams;
  std::vector<double> whole_order;
  std::vector<double> log_length;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    order.push_back(static_cast<double>(i + 1));
    log_streams.push_back(std::log(orders[i].streams));
    if (i + 1 == orders.size() || orders[i].length <= 0) continue;
    whole_order.push_back(static_cast<double>(i + 1));
    log_length.push_back(std::log(orders[i].length / orders[i].streams));
  }
  const std::optional<double> streams = FitSlope(order, log_streams);
  const std::optional<double> length = FitSlope(whole_order, log_length);
  if (!streams || !length) return std::nullopt;
  return HortonRatios{static_cast<int>(orders.size()), std::exp(-*streams), std::exp(*length)};
}

}  // namespace thalweg::survey
