// Who is let in. Knows nothing of how calls travel.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "server/access/address_callers.h"
#include "server/access/caller.h"
#include "server/access/reloaded.h"
#include "server/access/tokens_file.h"
#include "server/access/trusted_proxies.h"

namespace thalweg::access {

// What holds for every caller of a server, whatever its tokens file says.
struct AccessOptions {
  // Unless the line of a token says otherwise.
  CallerLimits limits;
  // Whose word on their callers' addresses is taken.
  TrustedProxies proxies;
};

// The callers that a tokens file names. Immutable but for what they have used.
class CallerTable {
 public:
  // Callers whose grants another table has too are taken from there, with what they have used.
  CallerTable(const TokensFile& file, const CallerLimits& limits, const CallerTable* last,
              const Clock& clock);

  // Null: the token is unknown.
  CallerPointer Find(std::string_view token) const;
  // Null: callers without a token are not let in.
  AddressCallers* anonymous() const { return anonymous_.get(); }

  // Ends the calls of those callers of the last table that this one does not have, or not as they
  // were: UNAUTHENTICATED, or UNAVAILABLE where the same call would be let in on other terms.
  void RevokeOthers(const CallerTable& last) const;

 private:
  CallerPointer FindHash(const TokenHash& hash) const;

  absl::flat_hash_map<TokenHash, CallerPointer> by_hash_;
  std::shared_ptr<AddressCallers> anonymous_;
};

// Thread-safe.
class AccessControl {
 public:
  // Lets everyone do the same, whatever they show: for servers without a tokens file.
  static std::unique_ptr<AccessControl> OfEveryone(ScopeSet scopes = ScopeSet::All(),
                                                   const AccessOptions& access = {});
  // Lets in whom a tokens file names; reads it again when it has changed. INVALID_ARGUMENT, or what
  // the system says, with the path.
  static absl::StatusOr<std::unique_ptr<AccessControl>> OfFile(const std::string& path,
                                                               const ReloadOptions& reload = {},
                                                               const AccessOptions& access = {});

  // Lets a call in: counts it and tells whose it is. Who shows no token is known by their address,
  // as PrefixOf names it. UNAUTHENTICATED without a known token, PERMISSION_DENIED without the
  // scope, RESOURCE_EXHAUSTED (with a delay) when there are too many.
  absl::StatusOr<CallerPointer> Admit(const std::optional<std::string_view>& token, Scope scope,
                                      const std::string& address = "");

  // Where a call comes from that its connection's peer says to forward; see TrustedProxies.
  std::string OriginOf(std::string_view peer, std::span<const std::string_view> forwarded) const {
    return proxies_.OriginOf(peer, forwarded);
  }

  // Whether an IP address is a proxy's, through which many callers come.
  bool IsProxy(std::string_view ip) const { return proxies_.Has(ip); }

  // Reads the file again if it has changed. So does Admit; for times in which nobody calls.
  void Refresh();

 private:
  using Tokens = Reloaded<CallerTable>;

  AccessControl(std::unique_ptr<AddressCallers> everyone, std::unique_ptr<Tokens> tokens,
                TrustedProxies proxies)
      : everyone_(std::move(everyone)), tokens_(std::move(tokens)), proxies_(std::move(proxies)) {}

  absl::StatusOr<CallerPointer> Identify(const std::optional<std::string_view>& token,
                                         const std::string& address);

  // Either is null.
  const std::unique_ptr<AddressCallers> everyone_;
  const std::unique_ptr<Tokens> tokens_;
  const TrustedProxies proxies_;
};

}  // namespace thalweg::access
