#include "server/calls/guest.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "proto/wire/status_macros.h"

namespace thalweg::calls {
namespace {

constexpr absl::string_view kScheme = "bearer ";

// The token that a call shows, if it shows one.
absl::StatusOr<std::optional<std::string_view>> TokenOf(
    std::span<const std::string_view> authorization) {
  if (authorization.empty()) return std::nullopt;
  const absl::string_view value(authorization.front().data(), authorization.front().size());
  if (authorization.size() > 1 || !absl::StartsWithIgnoreCase(value, kScheme)) {
    return absl::UnauthenticatedError("authorization must be there once and read: Bearer TOKEN");
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
                            std::span<const std::string_view> authorization, access::Scope scope,
                            absl::FunctionRef<std::string()> peer) {
  THALWEG_ASSIGN_OR_RETURN(CallGate::Pass pass, gate.Enter());
  THALWEG_ASSIGN_OR_RETURN(const auto token, TokenOf(authorization));
  THALWEG_ASSIGN_OR_RETURN(access::CallerPointer caller, access.Admit(token, scope));
  const std::string& name = caller->grant().name;
  const std::uint64_t client = absl::HashOf(name.empty() ? peer() : name);
  return Guest{std::move(pass), std::move(caller), client};
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
