#include "client/hydrography/spurs.h"

#include <cstddef>

namespace thalweg::hydrography {
namespace {

constexpr int kMaxDryCells = 8;
constexpr std::size_t kSpurCells = 3;

}  // namespace

std::vector<std::uint8_t> CountDonors(const survey::Drainage& drainage,
                                      const std::vector<std::uint8_t>& is_river) {
  std::vector<std::uint8_t> donors(drainage.receiver.size(), 0);
  for (std::size_t cell = 0; cell < donors.size(); ++cell) {
    const std::int32_t receiver = drainage.receiver[cell];
    if (is_river[cell] != 0 && receiver != survey::kOutlet) {
      ++donors[static_cast<std::size_t>(receiver)];
    }
  }
  return donors;
}

void BridgeGaps(const survey::Drainage& drainage, const Lakes& lakes,
                std::vector<std::uint8_t>& is_river) {
  std::vector<std::size_t> gap;
  // From the sources down, so that no gap is visited twice.
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    auto cell = static_cast<std::size_t>(drainage.order[i]);
    if (is_river[cell] == 0) continue;
    gap.clear();
    int dry = 0;
    while (drainage.receiver[cell] != survey::kOutlet && dry <= kMaxDryCells) {
      cell = static_cast<std::size_t>(drainage.receiver[cell]);
      if (is_river[cell] != 0 || drainage.receiver[cell] == survey::kOutlet) break;
      if (lakes.lake_of.values[cell] == kNoLake) ++dry;
      gap.push_back(cell);
    }
    if (is_river[cell] == 0) continue;
    for (const std::size_t between : gap) is_river[between] = 1;
  }
}

void PruneSpurs(const survey::Drainage& drainage, std::vector<std::uint8_t>& is_river) {
  std::vector<std::uint8_t> donors = CountDonors(drainage, is_river);
  std::vector<std::size_t> spur;
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    auto cell = static_cast<std::size_t>(drainage.order[i]);
    if (is_river[cell] == 0 || donors[cell] != 0) continue;
    spur.clear();
    while (is_river[cell] != 0 && donors[cell] <= 1 && spur.size() <= kSpurCells) {
      spur.push_back(cell);
      cell = static_cast<std::size_t>(drainage.receiver[cell]);
    }
    const bool ends = drainage.receiver[cell] == survey::kOutlet;
    if (spur.size() > kSpurCells || (!ends && donors[cell] < 2)) continue;
    for (const std::size_t gone : spur) is_river[gone] = 0;
    --donors[cell];
  }
}

}  // namespace thalweg::hydrography
