// The credit that a client grants to a server.
#pragma once

#include <cstdint>
#include <optional>

#include "thalweg/v1/session.pb.h"

namespace thalweg {

// Renews used credit in portions, because a message for every tile would be too many. Not
// thread-safe.
class Credit {
 public:
  Credit(std::uint32_t tiles, std::uint64_t bytes) : tiles_(tiles), bytes_(bytes) {}

  // A session begins: all credit must be granted again.
  void Restart() {
    taken_tiles_ = tiles_;
    taken_bytes_ = bytes_;
  }

  // Counts a tile that was taken.
  void Take(std::uint64_t bytes) {
    ++taken_tiles_;
    taken_bytes_ += bytes;
  }

  // Returns the credit to grant for the tiles that were taken, if it is worth a message.
  std::optional<v1::SessionRequest> Grant() {
    if (taken_tiles_ < Portion(tiles_) && taken_bytes_ < Portion(bytes_)) return std::nullopt;
    v1::SessionRequest request;
    request.mutable_credit()->set_tiles(taken_tiles_);
    request.mutable_credit()->set_bytes(taken_bytes_);
    taken_tiles_ = 0;
    taken_bytes_ = 0;
    return request;
  }

 private:
  // A quarter, rounded up.
  template <typename Number>
  static Number Portion(Number whole) {
    return whole / 4 + (whole % 4 == 0 ? 0 : 1);
  }

  const std::uint32_t tiles_;
  const std::uint64_t bytes_;
  std::uint32_t taken_tiles_ = 0;
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace thalweg
