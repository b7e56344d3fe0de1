#include "server/access/access_control.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/access/text_file.h"

namespace thalweg::access {

CallerTable::CallerTable(const TokensFile& file, const CallerTable* last, const Clock& clock) {
  const auto caller_of = [&clock](const Grant& grant, const CallerPointer& known) {
    if (known != nullptr && known->grant() == grant) return known;
    return std::make_shared<Caller>(grant, clock);
  };
  for (const Grant& grant : file.grants) {
    by_hash_[grant.hash] = caller_of(grant, last == nullptr ? nullptr : last->FindHash(grant.hash));
  }
  if (file.anonymous) {
    anonymous_ = caller_of(*file.anonymous, last == nullptr ? nullptr : last->anonymous_);
  }
}

CallerPointer CallerTable::FindHash(const TokenHash& hash) const {
  const auto found = by_hash_.find(hash);
  return found == by_hash_.end() ? nullptr : found->second;
}

void CallerTable::RevokeOthers(const CallerTable& last) const {
  const auto compare = [](const CallerPointer& before, const CallerPointer& now, const char* who) {
    if (before == nullptr || before == now) return;
    before->revocation().Revoke(
        now == nullptr
            ? absl::UnauthenticatedError(absl::StrCat(who, " not let in here any more"))
            : absl::UnavailableError(absl::StrCat(who, " let in on other terms now: call again")));
  };
  for (const auto& [hash, caller] : last.by_hash_) compare(caller, FindHash(hash), "the token is");
  compare(last.anonymous_, anonymous_, "callers without a token are");
}

CallerPointer CallerTable::Find(std::string_view token) const {
  // How long the search takes may tell something of a hash; nothing leads from there to its token.
  // The last word is a comparison that tells nothing.
  const TokenHash hash = HashOf(token);
  CallerPointer caller = FindHash(hash);
  return caller != nullptr && SameHash(caller->grant().hash, hash) ? caller : nullptr;
}

std::unique_ptr<AccessControl> AccessControl::OfEveryone() {
  Grant everything;
  everything.scopes = ScopeSet::All();
  return std::unique_ptr<AccessControl>(new AccessControl(
      std::make_shared<Caller>(std::move(everything), ReloadOptions().clock), nullptr));
}

absl::StatusOr<std::unique_ptr<AccessControl>> AccessControl::OfFile(const std::string& path,
                                                                     const ReloadOptions& options) {
  const auto load = [path, clock = options.clock](
                        const Tokens::Pointer& last) -> absl::StatusOr<Tokens::Pointer> {
    THALWEG_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
    const absl::StatusOr<TokensFile> file = ParseTokens(text);
    if (!file.ok()) {
      return absl::Status(file.status().code(),
                          absl::StrCat("tokens file ", path, ": ", file.status().message()));
    }
    auto table = std::make_shared<const CallerTable>(*file, last.get(), clock);
    if (last != nullptr) table->RevokeOthers(*last);
    return table;
  };
  THALWEG_ASSIGN_OR_RETURN(auto tokens, Tokens::Open({path}, load, options));
  return std::unique_ptr<AccessControl>(new AccessControl(nullptr, std::move(tokens)));
}

absl::StatusOr<CallerPointer> AccessControl::Identify(
    const std::optional<std::string_view>& token) {
  if (everyone_ != nullptr) return everyone_;
  const Tokens::Pointer table = tokens_->Get();
  if (!token) {
    if (table->anonymous() != nullptr) return table->anonymous();
    return absl::UnauthenticatedError("this server asks for a token: authorization: Bearer TOKEN");
  }
  CallerPointer caller = table->Find(*token);
  if (caller == nullptr) return absl::UnauthenticatedError("the token is not known here");
  return caller;
}

void AccessControl::Refresh() {
  if (tokens_ != nullptr) tokens_->Get();
}

absl::StatusOr<CallerPointer> AccessControl::Admit(const std::optional<std::string_view>& token,
                                                   Scope scope) {
  THALWEG_ASSIGN_OR_RETURN(CallerPointer caller, Identify(token));
  THALWEG_RETURN_IF_ERROR(caller->Require(scope));
  THALWEG_RETURN_IF_ERROR(caller->CountCall());
  return caller;
}

}  // namespace thalweg::access
