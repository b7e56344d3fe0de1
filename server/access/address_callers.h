// The callers without a token. Each is known by the address that it calls from.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "server/access/caller.h"
#include "server/sharing/lru_list.h"

namespace thalweg::access {

// Max addresses. Each takes about half a kilobyte.
inline constexpr std::size_t kMaxAddresses = 16'384;

// Thread-safe and bounded. Beyond the limit it forgets the least recently seen address that has no
// call under way and no debt, so that no caller gains by being forgotten. If it finds none, new
// addresses share one caller, with the limits of one.
class AddressCallers {
 public:
  // grant: each address has all of it.
  AddressCallers(Grant grant, const CallerLimits& limits, sharing::Clock clock,
                 std::size_t max_addresses = kMaxAddresses);

  const Grant& grant() const { return grant_; }
  // The caller for an address, in the form of PrefixOf.
  CallerPointer Of(const std::string& address);
  // Ends the calls of all of them, and of callers that are let in meanwhile.
  void Revoke(const absl::Status& why) { revocation_->Revoke(why); }

  std::size_t size() const;

 private:
  CallerPointer MakeCaller() const;
  // Forgets an address. False if none of those that it checked may be forgotten.
  bool MakeRoom();

  const Grant grant_;
  const CallerLimits limits_;
  const sharing::Clock clock_;
  const std::size_t max_addresses_;
  const std::shared_ptr<Revocation> revocation_ = std::make_shared<Revocation>();
  const CallerPointer crowd_;

  mutable std::mutex mutex_;
  sharing::LruList<std::string, CallerPointer> callers_;
};

}  // namespace thalweg::access
