// The credit of a session's client: how many tiles and bytes it will take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace thalweg::session {

// The max credit, even if a client grants more, so that sums can't overflow.
inline constexpr std::int64_t kMaxCreditTiles = std::int64_t{1} << 32;
inline constexpr std::int64_t kMaxCreditBytes = std::int64_t{1} << 48;

// The credit that is left. Not thread-safe.
class Credit {
 public:
  void Grant(std::uint32_t tiles, std::uint64_t bytes) {
    tiles_ = std::min(tiles_ + tiles, kMaxCreditTiles);
    const auto max_bytes = static_cast<std::uint64_t>(kMaxCreditBytes);
    bytes_ =
        std::min(bytes_ + static_cast<std::int64_t>(std::min(bytes, max_bytes)), kMaxCreditBytes);
  }
  // Spends credit for one tile. Bytes beyond the credit are owed: the credit becomes negative.
  void Spend(std::size_t bytes) {
    --tiles_;
    bytes_ -= static_cast<std::int64_t>(bytes);
  }
  // Whether one more tile may be sent, after `others` that are not sent yet.
  bool Allows(std::size_t others = 0) const {
    return bytes_ > 0 && static_cast<std::int64_t>(others) < tiles_;
  }

 private:
  std::int64_t tiles_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace thalweg::session
