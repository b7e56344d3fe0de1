#include "server/rpc/admission.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg::rpc {

namespace {

std::vector<std::string_view> ValuesOf(const grpc::CallbackServerContext& context,
                                       const char* key) {
  std::vector<std::string_view> values;
  const auto [begin, end] = context.client_metadata().equal_range(key);
  for (auto value = begin; value != end; ++value) {
    values.emplace_back(value->second.data(), value->second.size());
  }
  return values;
}

bool Lasts(calls::Method method) {
  return method == calls::Method::kStreamTiles || method == calls::Method::kSession;
}

}  // namespace

absl::StatusOr<Admission> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                calls::Method method, grpc::CallbackServerContext& context,
                                access::Scope scope) {
  auto record = std::make_unique<CallRecord>(engine.listeners, method, context);
  const std::string peer = context.peer();
  const std::vector<std::string_view> authorization = ValuesOf(context, "authorization");
  const std::vector<std::string_view> forwarded = ValuesOf(context, "x-forwarded-for");
  absl::StatusOr<calls::Guest> guest = calls::LetIn(
      *engine.access, gate, {.authorization = authorization, .peer = peer, .forwarded = forwarded},
      scope, Lasts(method) ? access::CallKind::kStream : access::CallKind::kSingle);
  if (!guest.ok()) {
    // Told to the listeners here; what it gives is for those who have a reactor.
    (void)record->End(guest.status());
    return guest.status();
  }
  record->NameToken(guest->caller->grant().name);
  return Admission{*std::move(guest), std::move(record)};
}

}  // namespace thalweg::rpc
