#include "tests/service/raw_call.h"

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

namespace thalweg::service {
namespace {

bool AwaitNext(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool ok = false;
  return queue.Next(&tag, &ok) && ok;
}

}  // namespace

RawAnswer RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                  const std::string& message) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  RawAnswer answer;
  const auto call = stub.PrepareCall(&context, method, &queue);
  call->StartCall(nullptr);
  const grpc::Slice slice(message);
  grpc::ByteBuffer received;
  bool ok = AwaitNext(queue);
  if (ok) {
    call->Write(grpc::ByteBuffer(&slice, 1), nullptr);
    ok = AwaitNext(queue);
  }
  if (ok) {
    call->WritesDone(nullptr);
    ok = AwaitNext(queue);
  }
  if (ok) {
    call->Read(&received, nullptr);
    ok = AwaitNext(queue);
  }
  grpc::Slice whole;
  if (ok && received.DumpToSingleSlice(&whole).ok()) {
    answer.message.assign(whole.begin(), whole.end());
  }
  call->Finish(&answer.status, nullptr);
  AwaitNext(queue);
  return answer;
}

int HealthOf(const std::shared_ptr<grpc::Channel>& channel, const std::string& service) {
  // HealthCheckRequest { string service = 1; }, HealthCheckResponse { ServingStatus status = 1; }
  const std::string request =
      service.empty() ? "" : "\x0a" + std::string(1, static_cast<char>(service.size())) + service;
  const RawAnswer answer = RawCall(channel, "/grpc.health.v1.Health/Check", request);
  if (!answer.status.ok() || answer.message.size() != 2 || answer.message[0] != '\x08') return -1;
  return answer.message[1];
}

}  // namespace thalweg::service
