#include "server/calls/admission.h"

#include <memory>

#include "absl/hash/hash.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "proto/wire/status_macros.h"
#include "server/access/trusted_proxies.h"

namespace thalweg::calls {
namespace {

absl::Status Stopping() { return absl::UnavailableError("the server is stopping"); }

constexpr absl::string_view kScheme = "bearer ";

// The token in a call's credentials, if they have one.
absl::StatusOr<std::optional<std::string_view>> TokenOf(
    std::span<const std::string_view> authorization) {
  if (authorization.empty()) return std::nullopt;
  const absl::string_view value(authorization.front().data(), authorization.front().size());
  if (authorization.size() > 1) {
    return absl::UnauthenticatedError("authorization is given more than once");
  }
  if (!absl::StartsWithIgnoreCase(value, kScheme)) {
    return absl::UnauthenticatedError("authorization does not have the form 'Bearer TOKEN'");
  }
  return std::string_view(value.data() + kScheme.size(), value.size() - kScheme.size());
}

access::CallKind KindOf(Method method) {
  const bool lasts = method == Method::kStreamTiles || method == Method::kSession;
  return lasts ? access::CallKind::kStream : access::CallKind::kSingle;
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

absl::Status CallGate::Enter() {
  const std::lock_guard lock(mutex_);
  if (closed_) return Stopping();
  ++inside_;
  return absl::OkStatus();
}

void CallGate::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  closing_.Revoke(Stopping());
}

bool CallGate::is_open() const {
  const std::lock_guard lock(mutex_);
  return !closed_;
}

bool CallGate::AwaitEmpty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return empty_.wait_until(lock, deadline, [this] { return inside_ == 0; });
}

void CallGate::Leave() {
  const std::lock_guard lock(mutex_);
  // Notified under the lock, since the gate may be destroyed right after the lock is released.
  if (--inside_ == 0) empty_.notify_all();
}

Admission::Admission(const CallListeners& listeners, Method method, std::string id, Peer peer)
    : listeners_(listeners),
      method_(method),
      peer_(std::move(peer)),
      begun_(std::chrono::steady_clock::now()),
      id_(std::move(id)) {
  for (CallListener* const listener : listeners_) listener->Began(method_);
}

Admission::~Admission() {
  if (caller_ != nullptr) caller_->Leave(KindOf(method_));
  closing_ = {};
  // The gate comes last: a thread that waits for it may destroy what the caller uses.
  caller_.reset();
  if (gate_ != nullptr) gate_->Leave();
}

absl::Status Admission::Admit(access::AccessControl& access, CallGate& gate,
                              const Credentials& credentials, access::Scope scope) {
  THALWEG_RETURN_IF_ERROR(gate.Enter());
  absl::Status entered = Enter(access, credentials, scope);
  if (entered.ok()) {
    gate_ = &gate;
  } else {
    gate.Leave();
  }
  return entered;
}

absl::Status Admission::Enter(access::AccessControl& access, const Credentials& credentials,
                              access::Scope scope) {
  THALWEG_ASSIGN_OR_RETURN(const auto token, TokenOf(credentials.authorization));
  const std::string address =
      access::PrefixOf(access.OriginOf(credentials.peer, credentials.forwarded));
  THALWEG_ASSIGN_OR_RETURN(access::CallerPointer caller, access.CallerOf(token, scope, address));
  THALWEG_RETURN_IF_ERROR(caller->Enter(KindOf(method_)));
  const std::string& name = caller->grant().name;
  client_ = absl::HashOf(name.empty() ? address : name, name.empty());
  caller_ = std::move(caller);
  return absl::OkStatus();
}

absl::Status Admission::Bill(tile::TileQuery& query) const {
  if (query.priority == field::Priority::kBake) {
    THALWEG_RETURN_IF_ERROR(caller_->Require(access::Scope::kBake));
  }
  query.client = client_;
  if (caller_->grant().cells_per_s > 0) query.payer = std::make_shared<PayingCaller>(caller_);
  return absl::OkStatus();
}

world::Owner Admission::Owner() const {
  const std::string& token = caller_->grant().name;
  return {.token = token, .client = token.empty() ? client_ : 0};
}

std::optional<world::Owner> Admission::Deleter() const {
  if (caller_->Has(access::Scope::kAdmin)) return std::nullopt;
  return Owner();
}

void Admission::Sent(std::size_t bytes) const {
  for (CallListener* const listener : listeners_) listener->Sent(method_, bytes);
}

void Admission::End(const absl::Status& status) const {
  if (listeners_.empty()) return;
  const std::string peer = status.ok() ? std::string() : peer_();
  const CallReport report{
      .id = id_,
      .method = method_,
      .duration = std::chrono::steady_clock::now() - begun_,
      .peer = peer,
      .token_name = caller_ == nullptr ? std::string_view() : caller_->grant().name,
      .status = status};
  for (CallListener* const listener : listeners_) listener->Ended(report);
}

}  // namespace thalweg::calls
