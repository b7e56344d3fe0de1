#include "server/rpc/admission.h"

#include <string>
#include <string_view>
#include <vector>

#include "server/calls/request_id.h"
#include "server/rpc/status.h"

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

std::string IdOf(const grpc::CallbackServerContext& context) {
  const auto found = context.client_metadata().find(calls::kRequestIdKey);
  if (found == context.client_metadata().end()) return calls::MakeRequestId();
  return calls::RequestIdOf(std::string_view(found->second.data(), found->second.size()));
}

}  // namespace

Admission::Admission(const calls::CallListeners& listeners, calls::Method method,
                     grpc::CallbackServerContext& context)
    : calls::Admission(listeners, method, IdOf(context), [&context] { return context.peer(); }) {
  context.AddInitialMetadata(calls::kRequestIdKey, id());
}

grpc::Status Admission::End(const absl::Status& status) const {
  calls::Admission::End(status);
  return ToGrpcStatus(status);
}

absl::StatusOr<AdmissionPointer> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                       calls::Method method, grpc::CallbackServerContext& context,
                                       access::Scope scope) {
  auto admission = std::make_unique<Admission>(engine.listeners, method, context);
  const std::string peer = context.peer();
  const std::vector<std::string_view> authorization = ValuesOf(context, "authorization");
  const std::vector<std::string_view> forwarded = ValuesOf(context, "x-forwarded-for");
  const absl::Status admitted = admission->Admit(
      *engine.access, gate, {.authorization = authorization, .peer = peer, .forwarded = forwarded},
      scope);
  if (admitted.ok()) return admission;
  // End reports to the listeners. Its result is for callers that have a reactor.
  (void)admission->End(admitted);
  return admitted;
}

}  // namespace thalweg::rpc
