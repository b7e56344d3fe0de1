// Who is let in. Knows nothing of how calls travel.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "server/access/caller.h"
#include "server/access/reloaded.h"
#include "server/access/tokens_file.h"

namespace thalweg::access {

using CallerPointer = std::shared_ptr<Caller>;

// The callers that a tokens file names. Immutable but for what they have used.
class CallerTable {
 public:
  // Callers whose grants another table has too are taken from there, with what they have used.
  CallerTable(const TokensFile& file, const CallerTable* last, const Clock& clock);

  // Null: the token is unknown.
  CallerPointer Find(std::string_view token) const;
  // Null: callers without a token are not let in.
  const CallerPointer& anonymous() const { return anonymous_; }

  // Ends the calls of those callers of the last table that this one does not have, or not as they
  // were: UNAUTHENTICATED, or UNAVAILABLE where the same call would be let in on other terms.
  void RevokeOthers(const CallerTable& last) const;

 private:
  CallerPointer FindHash(const TokenHash& hash) const;

  absl::flat_hash_map<TokenHash, CallerPointer> by_hash_;
  CallerPointer anonymous_;
};

// Thread-safe.
class AccessControl {
 public:
  // Lets everyone do everything: for servers without a tokens file.
  static std::unique_ptr<AccessControl> OfEveryone();
  // Lets in whom a tokens file names; reads it again when it has changed. INVALID_ARGUMENT, or what
  // the system says, with the path.
  static absl::StatusOr<std::unique_ptr<AccessControl>> OfFile(const std::string& path,
                                                               const ReloadOptions& options = {});

  // Lets a call in: counts it and tells whose it is. UNAUTHENTICATED without a known token,
  // PERMISSION_DENIED without the scope, RESOURCE_EXHAUSTED (with a delay) when there are too many.
  absl::StatusOr<CallerPointer> Admit(const std::optional<std::string_view>& token, Scope scope);

  // Reads the file again if it has changed. So does Admit; for times in which nobody calls.
  void Refresh();

 private:
  using Tokens = Reloaded<CallerTable>;

  explicit AccessControl(CallerPointer everyone, std::unique_ptr<Tokens> tokens)
      : everyone_(std::move(everyone)), tokens_(std::move(tokens)) {}

  absl::StatusOr<CallerPointer> Identify(const std::optional<std::string_view>& token);

  // Either is null.
  const CallerPointer everyone_;
  const std::unique_ptr<Tokens> tokens_;
};

}  // namespace thalweg::access
