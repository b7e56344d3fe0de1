#include "server/calls/guest.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "proto/wire/status_macros.h"
#include "server/access/address_prefix.h"

namespace thalweg::calls {
namespace {

constexpr absl::string_view kScheme = "bearer ";

// The token that a call shows, if it shows one.
absl::StatusOr<std::optional<std::string_view>> TokenOf(
    std::span<const std::string_view> authorization) {
  if (authorization.empty()) return std::nullopt;
  const absl::string_view value(authorization.front().data(), authorization.front().size());
  if (authorization.size() > 1 || !absl::StartsWithIgnoreCase(value, kScheme)) {
    return absl::UnauthenticatedError(
        "invalid authorization: expected 'Bearer TOKEN' once, got something else");
  }
  return std::string_view(value.data() + kScheme.size(), value.size() - kScheme.size());
}

class PayingCaller final : public tile::Payer {
 public:
  explicit PayingCaller(access::CallerPointer caller) : caller_(std::move(caller)) {}
  absl::Status MayGenerate() override { return caller_->MayGenerate(); }
  void Charge(std::int64_t cells) override { caller_->ChargeCells(cells); }

 private:
  const access::CallerPointer caller_;
};

}  // namespace

absl::StatusOr<Guest> LetIn(access::AccessControl& access, CallGate& gate,
                            const Introduction& introduction, access::Scope scope,
                            access::CallKind kind) {
  THALWEG_ASSIGN_OR_RETURN(CallGate::Pass pass, gate.Enter());
  THALWEG_ASSIGN_OR_RETURN(const auto token, TokenOf(introduction.authorization));
  const std::string address =
      access::PrefixOf(access.OriginOf(introduction.peer, introduction.forwarded));
  THALWEG_ASSIGN_OR_RETURN(access::CallerPointer caller, access.Admit(token, scope, address));
  THALWEG_ASSIGN_OR_RETURN(access::Caller::Visit visit, access::Caller::Enter(caller, kind));
  const std::string& name = caller->grant().name;
  const std::uint64_t client = absl::HashOf(name.empty() ? address : name, name.empty());
  return Guest{std::move(pass), std::move(caller), std::move(visit), client};
}

absl::Status Bill(const Guest& guest, tile::TileQuery& query) {
  const access::CallerPointer& caller = guest.caller;
  if (query.priority == field::Priority::kBake) {
    THALWEG_RETURN_IF_ERROR(caller->Require(access::Scope::kBake));
  }
  query.client = guest.client;
  if (caller->grant().cells_per_s > 0) query.payer = std::make_shared<PayingCaller>(caller);
  return absl::OkStatus();
}

}  // namespace thalweg::calls
