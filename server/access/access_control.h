// Access control, for every transport.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "server/access/caller.h"
#include "server/access/reloaded.h"
#include "server/access/tokens_file.h"
#include "server/access/trusted_proxies.h"
#include "server/sharing/lru_cache.h"

namespace thalweg::access {

// Max addresses. Each takes about half a kilobyte.
inline constexpr std::size_t kMaxAddresses = 16'384;

// The callers without a token, by address. Thread-safe and bounded. Beyond the limit it forgets the
// least recently seen address that has no call under way and no debt, so that no caller gains by
// being forgotten. If it finds none, new addresses share one caller, with the limits of one.
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

// Options that apply to every caller of a server, besides its tokens file.
struct AccessOptions {
  // Defaults for tokens whose lines have no limits.
  CallerLimits limits;
  // Proxies whose X-Forwarded-For is trusted.
  TrustedProxies proxies;
};

// The callers of a tokens file. Immutable, except for what callers have used.
class CallerTable {
 public:
  // last: null at first. Callers with unchanged grants are taken from it, with what they have used.
  CallerTable(const TokensFile& file, const CallerLimits& limits, const CallerTable* last,
              const sharing::Clock& clock);

  // Null if the token is unknown.
  CallerPointer Find(std::string_view token) const;
  // Null if callers without a token are not let in.
  AddressCallers* anonymous() const { return anonymous_.get(); }

  // Ends the calls of callers of the last table that this one lacks (UNAUTHENTICATED), or that have
  // other terms now (UNAVAILABLE).
  void RevokeOthers(const CallerTable& last) const;

 private:
  CallerPointer FindHash(const TokenHash& hash) const;

  absl::flat_hash_map<TokenHash, CallerPointer> by_hash_;
  std::shared_ptr<AddressCallers> anonymous_;
};

// Thread-safe.
class AccessControl {
 public:
  // Gives every caller the same scopes, with or without a token. For servers without a tokens file.
  static std::unique_ptr<AccessControl> OfEveryone(ScopeSet scopes = ScopeSet::All(),
                                                   const AccessOptions& access = {});
  // Lets in the callers of a tokens file, and reads the file again when it has changed. Warns of a
  // file that lets nobody in. INVALID_ARGUMENT, DEADLINE_EXCEEDED or the system's error, with the
  // path.
  static absl::StatusOr<std::unique_ptr<AccessControl>> OfFile(const std::string& path,
                                                               const ReloadOptions& reload = {},
                                                               const AccessOptions& access = {});

  // The caller of a call that needs a scope. A caller without a token is known by its address, in
  // the form of PrefixOf. UNAUTHENTICATED without a known token, PERMISSION_DENIED without the
  // scope.
  absl::StatusOr<CallerPointer> CallerOf(const std::optional<std::string_view>& token, Scope scope,
                                         const std::string& address);

  // The address that a call comes from, also behind proxies; see TrustedProxies.
  std::string OriginOf(std::string_view peer, std::span<const std::string_view> forwarded) const {
    return proxies_.OriginOf(peer, forwarded);
  }

  // Whether an IP address is that of a proxy, which forwards the calls of many callers.
  bool IsProxy(std::string_view ip) const { return proxies_.Has(ip); }

  // Reads the file again if it has changed. CallerOf does so too; this is for times without new
  // calls.
  void Refresh();
  // Checks the file now, even if it was checked just before, and reads it again if it was wrong.
  void LookNow();

 private:
  using Tokens = Reloaded<CallerTable>;

  AccessControl(std::unique_ptr<AddressCallers> everyone, std::unique_ptr<Tokens> tokens,
                TrustedProxies proxies)
      : everyone_(std::move(everyone)), tokens_(std::move(tokens)), proxies_(std::move(proxies)) {}

  absl::StatusOr<CallerPointer> Identify(const std::optional<std::string_view>& token,
                                         const std::string& address);

  // One of these is null.
  const std::unique_ptr<AddressCallers> everyone_;
  const std::unique_ptr<Tokens> tokens_;
  const TrustedProxies proxies_;
};

}  // namespace thalweg::access
