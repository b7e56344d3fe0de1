// The callers without a token, each known by the address that it calls from.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "server/access/caller.h"

namespace thalweg::access {

// An address takes about half a kilobyte.
inline constexpr std::size_t kMaxAddresses = 16'384;

// Thread-safe, and bounded: beyond the limit it forgets the least recently seen address without a
// call under way or a debt, so that no caller gains by being forgotten. If it finds none, new
// addresses share one caller with the limits of one.
class AddressCallers {
 public:
  // Each address has the whole grant.
  AddressCallers(Grant grant, const CallerLimits& limits, Clock clock,
                 std::size_t max_addresses = kMaxAddresses);

  const Grant& grant() const { return grant_; }
  // The caller of an address, as PrefixOf names it.
  CallerPointer Of(const std::string& address);
  // Ends the calls of all of them, and of callers that are let in meanwhile.
  void Revoke(const absl::Status& why) { revocation_->Revoke(why); }

  std::size_t size() const;

 private:
  // The most recently seen first.
  using Entries = std::list<std::pair<std::string, CallerPointer>>;

  CallerPointer MakeCaller() const;
  // Forgets an address; false when none of those that were checked may be forgotten.
  bool MakeRoom();

  const Grant grant_;
  const CallerLimits limits_;
  const Clock clock_;
  const std::size_t max_addresses_;
  const std::shared_ptr<Revocation> revocation_ = std::make_shared<Revocation>();
  const CallerPointer crowd_;

  mutable std::mutex mutex_;
  Entries entries_;
  absl::flat_hash_map<std::string, Entries::iterator> index_;
};

}  // namespace thalweg::access
