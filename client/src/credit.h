// How much a server may send.
#pragma once

#include <cstdint>
#include <optional>

#include "thalweg/v1/session.pb.h"

namespace thalweg {

// Grants again what was taken, in portions: a message a tile would be one too many. Not
// thread-safe.
class Credit {
 public:
  Credit(std::uint32_t tiles, std::uint64_t bytes) : tiles_(tiles), bytes_(bytes) {}

  // All of it, for a session that begins.
  v1::SessionRequest Whole() {
    taken_tiles_ = 0;
    taken_bytes_ = 0;
    return Grant(tiles_, bytes_);
  }

  // A tile of so many bytes was taken.
  void Take(std::uint64_t bytes) {
    ++taken_tiles_;
    taken_bytes_ += bytes;
  }

  // What to send about the tiles that were taken, if it is worth a message.
  std::optional<v1::SessionRequest> Again() {
    if (taken_tiles_ < Portion(tiles_) && taken_bytes_ < Portion(bytes_)) return std::nullopt;
    const v1::SessionRequest request = Grant(taken_tiles_, taken_bytes_);
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

  static v1::SessionRequest Grant(std::uint32_t tiles, std::uint64_t bytes) {
    v1::SessionRequest request;
    request.mutable_credit()->set_tiles(tiles);
    request.mutable_credit()->set_bytes(bytes);
    return request;
  }

  const std::uint32_t tiles_;
  const std::uint64_t bytes_;
  std::uint32_t taken_tiles_ = 0;
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace thalweg
