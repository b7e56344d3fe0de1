#include "server/access/address_callers.h"

#include <iterator>
#include <utility>

namespace thalweg::access {
namespace {

// How many addresses are checked when a new one comes, so that no call waits for a long search.
constexpr int kLooks = 8;

}  // namespace

AddressCallers::AddressCallers(Grant grant, const CallerLimits& limits, sharing::Clock clock,
                               std::size_t max_addresses)
    : grant_(std::move(grant)),
      limits_(limits),
      clock_(std::move(clock)),
      max_addresses_(max_addresses),
      crowd_(MakeCaller()) {}

CallerPointer AddressCallers::Of(const std::string& address) {
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(address); found != index_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }
  if (entries_.size() >= max_addresses_ && !MakeRoom()) return crowd_;
  entries_.emplace_front(address, MakeCaller());
  index_.emplace(address, entries_.begin());
  return entries_.front().second;
}

CallerPointer AddressCallers::MakeCaller() const {
  return std::make_shared<Caller>(grant_, limits_, clock_, revocation_);
}

bool AddressCallers::MakeRoom() {
  for (int look = 0; look < kLooks && !entries_.empty(); ++look) {
    const auto oldest = std::prev(entries_.end());
    if (oldest->second.use_count() == 1 && oldest->second->IsFresh()) {
      index_.erase(oldest->first);
      entries_.erase(oldest);
      return true;
    }
    // This address must stay: the next search checks other ones.
    entries_.splice(entries_.begin(), entries_, oldest);
  }
  return false;
}

std::size_t AddressCallers::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace thalweg::access
