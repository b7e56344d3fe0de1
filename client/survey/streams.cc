#include "client/survey/streams.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "client/survey/fit.h"

namespace thalweg::survey {
namespace {

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
