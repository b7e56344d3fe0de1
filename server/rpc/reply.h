// The reply to a call with one request and one response. It may be given later, by any thread.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "server/calls/engine.h"
#include "server/rpc/admission.h"

namespace thalweg::rpc {

// Keeps the call inside until the reply is given; until then gRPC keeps reactor and response.
template <typename Response>
class Reply {
 public:
  Reply(grpc::ServerUnaryReactor* reactor, AdmissionPointer admission, Response* response)
      : reactor_(reactor), admission_(std::move(admission)), response_(response) {}

  const Admission& admission() const { return *admission_; }
  Response* response() const { return response_; }

  // Gives the reply, once.
  void End(const absl::Status& status) && {
    if (status.ok()) admission_->Sent(SizeOf(*response_));
    reactor_->Finish(admission_->End(status));
  }

 private:
  static std::size_t SizeOf(const google::protobuf::MessageLite& message) {
    return message.ByteSizeLong();
  }
  static std::size_t SizeOf(const grpc::ByteBuffer& bytes) { return bytes.Length(); }

  grpc::ServerUnaryReactor* reactor_;
  AdmissionPointer admission_;
  Response* response_;
};

// Fills in the response by `make(const Reply<Response>&)` on the thread that creates and deletes
// worlds, and gives the reply there. Or gives it at once, with the error of
// calls::SharedWorkers::Run.
template <typename Response, typename Make>
void ReplyFromKeeper(const calls::Engine& engine, Reply<Response> reply, Make make) {
  const auto held = std::make_shared<Reply<Response>>(std::move(reply));
  const absl::Status posted = engine.workers->keeper.Run(
      held->admission().client(), "answer a call",
      [held, make = std::move(make)] { return make(*held); },
      [held](const absl::Status& status) { std::move(*held).End(status); });
  if (!posted.ok()) std::move(*held).End(posted);
}

}  // namespace thalweg::rpc
