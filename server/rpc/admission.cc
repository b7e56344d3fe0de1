#include "server/rpc/admission.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "proto/wire/status_macros.h"

namespace thalweg::rpc {
namespace {

constexpr absl::string_view kScheme = "bearer ";

// The token that a call shows, if it shows one. UNAUTHENTICATED when its metadata are something
// else; the message has nothing of them.
absl::StatusOr<std::optional<std::string_view>> TokenOf(
    const grpc::CallbackServerContext& context) {
  const auto [begin, end] = context.client_metadata().equal_range("authorization");
  if (begin == end) return std::nullopt;
  const absl::string_view value(begin->second.data(), begin->second.size());
  if (std::next(begin) != end || !absl::StartsWithIgnoreCase(value, kScheme)) {
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

// What the gate and the access control say of a call that has begun.
absl::StatusOr<Admission> LetIn(const Engine& engine, CallGate& gate,
                                const grpc::CallbackServerContext& context, access::Scope scope) {
  THALWEG_ASSIGN_OR_RETURN(CallGate::Pass pass, gate.Enter());
  THALWEG_ASSIGN_OR_RETURN(const auto token, TokenOf(context));
  THALWEG_ASSIGN_OR_RETURN(access::CallerPointer caller, engine.access->Admit(token, scope));
  const std::string& name = caller->grant().name;
  const std::uint64_t client = absl::HashOf(name.empty() ? context.peer() : name);
  return Admission{nullptr, std::move(pass), std::move(caller), client};
}

}  // namespace

absl::StatusOr<Admission> Admit(const Engine& engine, CallGate& gate, Method method,
                                grpc::CallbackServerContext& context, access::Scope scope) {
  auto record = std::make_unique<CallRecord>(engine.listeners, method, context);
  absl::StatusOr<Admission> admission = LetIn(engine, gate, context, scope);
  if (admission.ok()) {
    record->NameToken(admission->caller->grant().name);
    admission->record = std::move(record);
  } else {
    // Told to the listeners here; what it gives is for those who have a reactor.
    (void)record->End(admission.status());
  }
  return admission;
}

absl::Status Bill(const Admission& admission, tile::TileQuery& query) {
  const access::CallerPointer& caller = admission.caller;
  if (query.priority == field::Priority::kBake) {
    THALWEG_RETURN_IF_ERROR(caller->Require(access::Scope::kBake));
  }
  query.client = admission.client;
  if (caller->grant().cells_per_s > 0) query.payer = std::make_shared<PayingCaller>(caller);
  return absl::OkStatus();
}

}  // namespace thalweg::rpc
