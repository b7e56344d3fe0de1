#include "server/rpc/admission.h"

#include <string_view>
#include <utility>
#include <vector>

namespace thalweg::rpc {

absl::StatusOr<Admission> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                calls::Method method, grpc::CallbackServerContext& context,
                                access::Scope scope) {
  auto record = std::make_unique<CallRecord>(engine.listeners, method, context);
  std::vector<std::string_view> shown;
  const auto [begin, end] = context.client_metadata().equal_range("authorization");
  for (auto value = begin; value != end; ++value) {
    shown.emplace_back(value->second.data(), value->second.size());
  }
  absl::StatusOr<calls::Guest> guest =
      calls::LetIn(*engine.access, gate, shown, scope, [&context] { return context.peer(); });
  if (!guest.ok()) {
    // Told to the listeners here; what it gives is for those who have a reactor.
    (void)record->End(guest.status());
    return guest.status();
  }
  record->NameToken(guest->caller->grant().name);
  return Admission{*std::move(guest), std::move(record)};
}

}  // namespace thalweg::rpc
