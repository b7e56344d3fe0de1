#include "thalweg/health.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/src/connection/channel.h"
#include "client/src/connection/deadline.h"
#include "client/src/connection/grpc_status.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

// gRPC's packages have no health.proto. The empty message asks for the health of the whole server;
// this is the answer {status: SERVING}, whose only field is the enumerator 1.
constexpr std::string_view kServing = "\x08\x01";

std::string Join(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

}  // namespace

absl::Status CheckHealth(std::string_view address, std::chrono::milliseconds timeout,
                         const std::optional<TlsOptions>& tls) {
  const std::string target(address);
  grpc::ChannelArguments arguments;
  // The check is about this server, not about a proxy in front of it.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  THALWEG_ASSIGN_OR_RETURN(auto channel, MakeChannel(target, {.tls = tls, .token = ""}, arguments));
  grpc::GenericStub stub(std::move(channel));

  grpc::ClientContext context;
  context.set_deadline(DeadlineAfter(timeout));
  const grpc::Slice nothing;
  const grpc::ByteBuffer request(&nothing, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> done;
  stub.UnaryCall(&context, "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request, &response,
                 [&done](grpc::Status status) { done.set_value(std::move(status)); });
  const absl::Status status = FromGrpc(done.get_future().get());
  if (!status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat("check the health of ", target, ": ", status.message()));
  }
  if (Join(response) != kServing) {
    return absl::UnavailableError(
        absl::StrCat("check the health of ", target,
                     ": expected the status SERVING, got another; is the server stopping?"));
  }
  return absl::OkStatus();
}

}  // namespace thalweg
