// Admits gRPC's calls.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/calls/admission.h"
#include "server/calls/engine.h"
#include "server/sharing/threads.h"

namespace thalweg::rpc {

// How long a caller may take to read what is being written when the server ends its call.
struct EndPatience {
  sharing::Timer* timer = nullptr;
  std::chrono::milliseconds time{0};
};

// gRPC completes a write when flow control allows, so a caller that takes no more bytes could keep
// its call for ever. Thread-safe.
class CallEnd {
 public:
  // The context must live until Done. The timer must outlive the call.
  CallEnd(grpc::CallbackServerContext& context, const EndPatience& patience)
      : open_(std::make_shared<Open>(&context)), patience_(patience) {}

  // Must be called by OnDone: afterwards gRPC has no such call.
  void Done();
  // Cancels the call when the patience is over, unless it is done by then. Called by the thread
  // that has ended the call while a write is under way.
  void CancelLater();

 private:
  struct Open {
    explicit Open(grpc::CallbackServerContext* of) : context(of) {}

    std::mutex mutex;
    grpc::CallbackServerContext* context;  // null when the call is done
  };

  const std::shared_ptr<Open> open_;
  const EndPatience patience_;
  std::atomic<bool> counting_ = false;
};

// The same code, message and details. INTERNAL and UNKNOWN keep theirs too: they contain no
// secrets, and callers can report them. Only this file makes a grpc::Status.
grpc::Status ToGrpcStatus(const absl::Status& status);

// Sends the call's id to the caller in the initial metadata.
class Admission : public calls::Admission {
 public:
  // The context must live until End, the listeners must outlive this.
  Admission(const calls::CallListeners& listeners, calls::Method method,
            grpc::CallbackServerContext& context);

  // Reports the end to the listeners, and returns the status for Finish.
  grpc::Status End(const absl::Status& status) const;
};

// The owner must call End.
using AdmissionPointer = std::unique_ptr<Admission>;

// Admits a call, or returns the error of calls::Admission::Admit. Such a call has already ended for
// the engine's listeners.
absl::StatusOr<AdmissionPointer> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                       calls::Method method, grpc::CallbackServerContext& context,
                                       access::Scope scope);

// The reply to a call with one request and one response. It may be given later, by any thread.
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
