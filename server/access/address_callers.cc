#include "server/access/address_callers.h"

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
  if (const CallerPointer* const caller = callers_.Use(address)) return *caller;
  if (callers_.size() >= max_addresses_ && !MakeRoom()) return crowd_;
  return callers_.Add(address, MakeCaller());
}

CallerPointer AddressCallers::MakeCaller() const {
  return std::make_shared<Caller>(grant_, limits_, clock_, revocation_);
}

bool AddressCallers::MakeRoom() {
  using Fate = decltype(callers_)::Fate;
  int looks = 0;
  bool has_room = false;
  callers_.Visit([&] { return looks < kLooks && !has_room; },
                 [&](const CallerPointer& oldest) {
                   ++looks;
                   has_room = oldest.use_count() == 1 && oldest->IsFresh();
                   // An address that must stay counts as seen: the next search checks other ones.
                   return has_room ? Fate::kDrop : Fate::kUse;
                 });
  return has_room;
}

std::size_t AddressCallers::size() const {
  const std::lock_guard lock(mutex_);
  return callers_.size();
}

}  // namespace thalweg::access
