#include "server/rpc/call_record.h"

#include "server/rpc/status.h"

namespace thalweg::rpc {

CallRecord::CallRecord(const CallListeners& listeners, Method method,
                       grpc::CallbackServerContext& context)
    : listeners_(listeners),
      method_(method),
      context_(context),
      begun_(std::chrono::steady_clock::now()),
      id_(RequestIdOf(context)) {
  context.AddInitialMetadata(kRequestIdKey, id_);
  for (CallListener* const listener : listeners_) listener->Began(method_);
}

void CallRecord::Sent(std::size_t bytes) const {
  for (CallListener* const listener : listeners_) listener->Sent(method_, bytes);
}

grpc::Status CallRecord::End(const absl::Status& status) const {
  if (!listeners_.empty()) {
    const std::string peer = status.ok() ? std::string() : context_.peer();
    const CallReport report{.id = id_,
                            .method = method_,
                            .duration = std::chrono::steady_clock::now() - begun_,
                            .peer = peer,
                            .token_name = token_name_,
                            .status = status};
    for (CallListener* const listener : listeners_) listener->Ended(report);
  }
  return ToGrpcStatus(status);
}

}  // namespace thalweg::rpc
