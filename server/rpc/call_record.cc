#include "server/rpc/call_record.h"

#include <optional>
#include <string>
#include <string_view>

#include "server/calls/request_id.h"
#include "server/rpc/status.h"

namespace thalweg::rpc {
namespace {

std::string IdOf(const grpc::CallbackServerContext& context) {
  const auto found = context.client_metadata().find(calls::kRequestIdKey);
  if (found == context.client_metadata().end()) return calls::MakeRequestId();
  return calls::RequestIdOf(std::string_view(found->second.data(), found->second.size()));
}

}  // namespace

CallRecord::CallRecord(const calls::CallListeners& listeners, calls::Method method,
                       grpc::CallbackServerContext& context)
    : calls::CallRecord(listeners, method, IdOf(context), [&context] { return context.peer(); }) {
  context.AddInitialMetadata(calls::kRequestIdKey, id());
}

grpc::Status CallRecord::End(const absl::Status& status) const {
  calls::CallRecord::End(status);
  return ToGrpcStatus(status);
}

}  // namespace thalweg::rpc
