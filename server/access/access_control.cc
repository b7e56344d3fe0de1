#include "server/access/access_control.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::access {
namespace {

// How many addresses are checked when a new one comes, so that no call waits for a long search.
constexpr int kLooks = 8;

// What a tokens file without tokens and without `anonymous` means.
std::string NobodyIn(const std::string& path, bool reloaded) {
  return absl::StrCat(
      "tokens file ", path, " has no tokens",
      reloaded ? " any more: all tokens are revoked, and nobody is let in" : ": nobody is let in",
      " until it has one; `thalwegd token` prints its lines");
}

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

CallerTable::CallerTable(const TokensFile& file, const CallerLimits& limits,
                         const CallerTable* last, const sharing::Clock& clock) {
  for (const Grant& grant : file.grants) {
    CallerPointer known = last == nullptr ? nullptr : last->FindHash(grant.hash);
    const bool same = known != nullptr && known->grant() == grant;
    by_hash_[grant.hash] = same ? std::move(known) : std::make_shared<Caller>(grant, limits, clock);
  }
  if (!file.anonymous) return;
  const bool same = last != nullptr && last->anonymous_ != nullptr &&
                    last->anonymous_->grant() == *file.anonymous;
  anonymous_ =
      same ? last->anonymous_ : std::make_shared<AddressCallers>(*file.anonymous, limits, clock);
}

CallerPointer CallerTable::FindHash(const TokenHash& hash) const {
  const auto found = by_hash_.find(hash);
  return found == by_hash_.end() ? nullptr : found->second;
}

void CallerTable::RevokeOthers(const CallerTable& last) const {
  const auto reason = [](const char* who, bool gone) {
    return gone ? absl::UnauthenticatedError(absl::StrCat(who, " no longer accepted here"))
                : absl::UnavailableError(
                      absl::StrCat(who, " accepted with other scopes or limits now: call again"));
  };
  for (const auto& [hash, before] : last.by_hash_) {
    const CallerPointer now = FindHash(hash);
    if (now != before) before->revocation().Revoke(reason("the token is", now == nullptr));
  }
  if (last.anonymous_ != nullptr && last.anonymous_ != anonymous_) {
    last.anonymous_->Revoke(reason("callers without a token are", anonymous_ == nullptr));
  }
}

CallerPointer CallerTable::Find(std::string_view token) const {
  // The time of this search may reveal something about a hash, but nothing about its token. The
  // final comparison takes constant time.
  const TokenHash hash = HashOf(token);
  CallerPointer caller = FindHash(hash);
  return caller != nullptr && SameHash(caller->grant().hash, hash) ? caller : nullptr;
}

std::unique_ptr<AccessControl> AccessControl::OfEveryone(ScopeSet scopes,
                                                         const AccessOptions& access) {
  Grant grant;
  grant.scopes = scopes;
  auto everyone =
      std::make_unique<AddressCallers>(std::move(grant), access.limits, ReloadOptions().clock);
  return std::unique_ptr<AccessControl>(
      new AccessControl(std::move(everyone), nullptr, access.proxies));
}

absl::StatusOr<std::unique_ptr<AccessControl>> AccessControl::OfFile(const std::string& path,
                                                                     const ReloadOptions& reload,
                                                                     const AccessOptions& access) {
  const auto load = [path, limits = access.limits, clock = reload.clock, warn = reload.warn](
                        const std::vector<std::string>& texts,
                        const Tokens::Pointer& last) -> absl::StatusOr<Tokens::Pointer> {
    const absl::StatusOr<TokensFile> file = ParseTokens(texts.front());
    if (!file.ok()) {
      return absl::Status(file.status().code(), absl::StrCat("invalid tokens file ", path, ": ",
                                                             file.status().message()));
    }
    if (file->grants.empty() && !file->anonymous) warn(NobodyIn(path, last != nullptr));
    auto table = std::make_shared<const CallerTable>(*file, limits, last.get(), clock);
    if (last != nullptr) table->RevokeOthers(*last);
    return table;
  };
  THALWEG_ASSIGN_OR_RETURN(auto tokens, Tokens::Open({path}, load, reload));
  return std::unique_ptr<AccessControl>(
      new AccessControl(nullptr, std::move(tokens), access.proxies));
}

absl::StatusOr<CallerPointer> AccessControl::Identify(const std::optional<std::string_view>& token,
                                                      const std::string& address) {
  if (everyone_ != nullptr) return everyone_->Of(address);
  const Tokens::Pointer table = tokens_->Get();
  if (!token) {
    if (table->anonymous() != nullptr) return table->anonymous()->Of(address);
    return absl::UnauthenticatedError("authorization is missing: expected 'Bearer TOKEN'");
  }
  CallerPointer caller = table->Find(*token);
  if (caller == nullptr) return absl::UnauthenticatedError("this server does not know the token");
  return caller;
}

void AccessControl::Refresh() {
  if (tokens_ != nullptr) tokens_->Get();
}

void AccessControl::LookNow() {
  if (tokens_ != nullptr) tokens_->LookNow();
}

absl::StatusOr<CallerPointer> AccessControl::CallerOf(const std::optional<std::string_view>& token,
                                                      Scope scope, const std::string& address) {
  THALWEG_ASSIGN_OR_RETURN(CallerPointer caller, Identify(token, address));
  THALWEG_RETURN_IF_ERROR(caller->Require(scope));
  return caller;
}

}  // namespace thalweg::access
