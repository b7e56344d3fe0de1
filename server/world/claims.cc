#include "server/world/claims.h"

#include <cstddef>
#include <map>
#include <tuple>

namespace thalweg::world {
namespace {

// How many claims each token and each owner has.
class Shares {
 public:
  explicit Shares(const std::vector<ClaimedWorld>& claims) {
    for (const ClaimedWorld& claimed : claims) {
      if (claimed.claim.owner) Add(*claimed.claim.owner);
    }
  }

  void Add(const Owner& owner) {
    ++of_tokens_[owner.token];
    ++of_owners_[owner];
  }
  std::size_t OfToken(const Owner& owner) const { return of_tokens_.at(owner.token); }
  std::size_t Of(const Owner& owner) const { return of_owners_.at(owner); }

 private:
  std::map<std::string, std::size_t> of_tokens_;
  std::map<Owner, std::size_t> of_owners_;
};

// The order of eviction: the claim with the greatest rank goes first.
auto RankOf(const ClaimedWorld& claimed, const Shares& shares, const Owner& newcomer) {
  const Owner& owner = *claimed.claim.owner;
  return std::tuple(shares.OfToken(owner), owner.token == newcomer.token, shares.Of(owner),
                    owner == newcomer, ~claimed.last_use);
}

// Whether the owner, or its token if that differs, has at least as many claims as the newcomer.
bool MayLose(const Owner& owner, const Shares& shares, const Owner& newcomer) {
  if (owner.token != newcomer.token) return shares.OfToken(owner) >= shares.OfToken(newcomer);
  return shares.Of(owner) >= shares.Of(newcomer);
}

}  // namespace

const ClaimedWorld* ClaimToEvict(const std::vector<ClaimedWorld>& claims, const Owner& newcomer) {
  Shares shares(claims);
  shares.Add(newcomer);
  const ClaimedWorld* evicted = nullptr;
  for (const ClaimedWorld& claimed : claims) {
    const Claim& claim = claimed.claim;
    if (claim.keep || !claim.owner || !MayLose(*claim.owner, shares, newcomer)) continue;
    if (evicted == nullptr ||
        RankOf(claimed, shares, newcomer) > RankOf(*evicted, shares, newcomer)) {
      evicted = &claimed;
    }
  }
  return evicted;
}

}  // namespace thalweg::world
