#include "server/rpc/admission.h"

#include <string>
#include <string_view>
#include <vector>

#include "proto/wire/status_details.h"
#include "server/calls/call_listener.h"

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

void CallEnd::Done() {
  const std::lock_guard lock(open_->mutex);
  open_->context = nullptr;
}

void CallEnd::CancelLater() {
  if (counting_.exchange(true)) return;
  patience_.timer->Post(std::chrono::steady_clock::now() + patience_.time,
                        [call = std::weak_ptr<Open>(open_)] {
                          const auto open = call.lock();
                          if (open == nullptr) return;
                          // Held meanwhile, so that the context lives. gRPC calls its reactors by
                          // threads of its own, not from TryCancel.
                          const std::lock_guard lock(open->mutex);
                          if (open->context != nullptr) open->context->TryCancel();
                        });
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  // The canonical codes have the same numbers in Abseil and gRPC.
  return {static_cast<grpc::StatusCode>(status.raw_code()), std::string(status.message()),
          wire::EncodeDetails(status)};
}

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
