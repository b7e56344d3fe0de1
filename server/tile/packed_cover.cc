#include "server/tile/packed_cover.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "server/stages/independent.h"

namespace thalweg::tile {
namespace {

// a where all bits of the mask are set, b where none is. Compilers make vectors of it more readily
// than of conditions.
std::int32_t Chosen(std::int32_t mask, std::int32_t a, std::int32_t b) {
  return (mask & a) | (~mask & b);
}
std::int32_t MaskOf(bool condition) { return condition ? -1 : 0; }

// The three largest classes of each vertex of a row, the largest first.
class Ranks {
 public:
  explicit Ranks(std::size_t vertices) {
    for (Rank& rank : ranks_) rank = {Values(vertices), Values(vertices)};
  }

  // Puts a class where it belongs. Classes come in their order, so of equal ones the first stays
  // first.
  void Add(std::int32_t cover, const std::vector<float>& shares) {
    const float* const share = shares.data();
    std::int32_t* const share_1 = ranks_[0].share.data();
    std::int32_t* const share_2 = ranks_[1].share.data();
    std::int32_t* const share_3 = ranks_[2].share.data();
    std::int32_t* const cover_1 = ranks_[0].cover.data();
    std::int32_t* const cover_2 = ranks_[1].cover.data();
    std::int32_t* const cover_3 = ranks_[2].cover.data();
    const std::size_t count = shares.size();
    THALWEG_INDEPENDENT for (std::size_t k = 0; k < count; ++k) {
      const auto here = std::bit_cast<std::int32_t>(share[k]);
      const std::int32_t over_1 = MaskOf(here > share_1[k]);
      const std::int32_t over_2 = MaskOf(here > share_2[k]);
      const std::int32_t over_3 = MaskOf(here > share_3[k]);
      share_3[k] = Chosen(over_2, share_2[k], Chosen(over_3, here, share_3[k]));
      cover_3[k] = Chosen(over_2, cover_2[k], Chosen(over_3, cover, cover_3[k]));
      share_2[k] = Chosen(over_1, share_1[k], Chosen(over_2, here, share_2[k]));
      cover_2[k] = Chosen(over_1, cover_1[k], Chosen(over_2, cover, cover_2[k]));
      share_1[k] = Chosen(over_1, here, share_1[k]);
      cover_1[k] = Chosen(over_1, cover, cover_1[k]);
    }
  }

  void Pack(int step, std::span<std::int32_t> packed) const {
    const auto share = [&](std::size_t rank, std::size_t k) {
      return std::bit_cast<float>(ranks_[rank].share[k]);
    };
    for (std::size_t k = 0; k < packed.size(); ++k) {
      const float sum = share(0, k) + share(1, k) + share(2, k);
      const float unit = 255 / std::max(sum, 1e-6F) / static_cast<float>(step);
      const int second = static_cast<int>(share(1, k) * unit) * step;
      const int third = static_cast<int>(share(2, k) * unit) * step;
      // A class without weight is written as the first class, which takes no room in the encoding.
      const std::int32_t largest = ranks_[0].cover[k];
      packed[k] = largest | Chosen(MaskOf(second == 0), largest, ranks_[1].cover[k]) << 4 |
                  Chosen(MaskOf(third == 0), largest, ranks_[2].cover[k]) << 8 | second << 12 |
                  third << 20;
    }
  }

 private:
  // Shares are not negative, so they are ordered as their bits are.
  using Values = std::vector<std::int32_t>;
  struct Rank {
    Values share;
    Values cover;
  };
  std::array<Rank, 3> ranks_;
};

}  // namespace

void PackCover(const CoverShares& shares, int step, std::span<std::int32_t> packed) {
  Ranks ranks(packed.size());
  for (std::size_t c = 0; c < shares.size(); ++c) {
    // Most classes are nowhere in a row, and a class without a share is never packed.
    const auto shown = [](float part) { return part > 0; };
    if (std::none_of(shares[c].begin(), shares[c].end(), shown)) continue;
    ranks.Add(static_cast<std::int32_t>(c), shares[c]);
  }
  ranks.Pack(step, packed);
}

}  // namespace thalweg::tile
