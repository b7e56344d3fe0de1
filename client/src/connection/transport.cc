#include "client/src/connection/transport.h"

#include <grpcpp/grpcpp.h>

#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "client/src/connection/channel.h"
#include "client/src/contract/messages.h"
#include "proto/wire/host_port.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg {
namespace {

// Whether a proxy ended the call because its server went away. The server did not send this
// INTERNAL: gRPC reports it for reset streams (gRPC over HTTP/2, "Errors").
bool WasCut(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::INTERNAL &&
         absl::StartsWith(status.error_message(), "Received RST_STREAM");
}

using Stub = v1::TerrainService::Stub;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

grpc::ChannelArguments ChannelArguments(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
  // Fourteen incompressible layers of a tile take less than 4 MiB.
  arguments.SetMaxReceiveMessageSize(16 << 20);
  if (wire::IsLoopback(address)) arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return arguments;
}

// Suggests what to check when a server can't be reached for this reason.
const char* HintOf(const std::string& reason, bool encrypted) {
  if (const char* const hint = HintOfHttp(reason); *hint != '\0') return hint;
  if (absl::StrContains(reason, "andshake")) return "";
  if (!encrypted && absl::StrContains(reason, "Socket closed")) return "; does it ask for TLS?";
  return "; is thalwegd running?";
}

// Names the area, so that a proxy sends tiles of the same blocks to the same server.
void NameArea(const std::string& world, const v1::TileKey& key, grpc::ClientContext& context) {
  context.AddMetadata(wire::kAreaHeader, wire::AreaOf(world, ToWire(key)));
}

// Ends a stream's call whenever its function returns: no operation may be under way when the
// objects that it writes to are destroyed.
class CallEnd {
 public:
  CallEnd(grpc::ClientContext& context, grpc::CompletionQueue& queue)
      : context_(context), queue_(queue) {}
  ~CallEnd() {
    context_.TryCancel();
    queue_.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) {
    }
  }
  CallEnd(const CallEnd&) = delete;
  CallEnd& operator=(const CallEnd&) = delete;

 private:
  grpc::ClientContext& context_;
  grpc::CompletionQueue& queue_;
};

// Waits for the only pending operation. False after the timeout.
bool Wait(grpc::CompletionQueue& queue, std::chrono::milliseconds timeout, bool& ok) {
  void* tag = nullptr;
  return queue.AsyncNext(&tag, &ok, DeadlineAfter(timeout)) == grpc::CompletionQueue::GOT_EVENT;
}

// Returns the pause before the next attempt: the backoff's after UNAVAILABLE, the server's after
// RESOURCE_EXHAUSTED. Absent: there is no next attempt.
std::optional<std::chrono::milliseconds> PauseAfter(const absl::Status& status,
                                                    std::chrono::milliseconds max_delay,
                                                    Backoff& backoff) {
  if (absl::IsUnavailable(status)) {
    if (backoff.Fail()) return backoff.Pause();
    return std::nullopt;
  }
  if (!absl::IsResourceExhausted(status)) return std::nullopt;
  const std::optional<std::chrono::milliseconds> delay = wire::RetryDelayOf(status);
  if (!delay || *delay > max_delay || !backoff.Fail()) return std::nullopt;
  return delay;
}

// Returns the caller's error after the last attempt of an operation.
absl::Status Explain(std::string_view operation, const absl::Status& status,
                     const std::string& address, int attempts) {
  const absl::string_view message = status.message();
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
      return absl::UnavailableError(absl::StrCat(
          View(operation), ": ", address, " is unavailable after ", attempts,
          attempts == 1 ? " attempt: " : " attempts: ", message, "; is thalwegd running?"));
    case absl::StatusCode::kUnimplemented:
      return absl::UnimplementedError(
          absl::StrCat(View(operation), ": ", address,
                       " lacks this method; is it thalwegd, of this version? ", message));
    default:
      if (absl::StartsWith(message, View(operation))) return status;
      return absl::Status(status.code(), absl::StrCat(View(operation), ": ", message));
  }
}

}  // namespace

absl::Status FromGrpc(const grpc::Status& status) {
  auto code = static_cast<absl::StatusCode>(status.error_code());
  if (WasCut(status)) code = absl::StatusCode::kUnavailable;
  absl::Status own(code, OneLine(status.error_message()));
  wire::DecodeDetails(status.error_details(), own);
  return own;
}

Client::Transport::Transport(std::string address, const ClientOptions& options,
                             std::shared_ptr<grpc::Channel> channel)
    : address_(std::move(address)),
      options_(options),
      channel_(std::move(channel)),
      stub_(v1::TerrainService::NewStub(channel_)) {}

absl::StatusOr<std::unique_ptr<Client::Transport>> Client::Transport::Open(
    std::string_view address, const ClientOptions& options) {
  THALWEG_RETURN_IF_ERROR(wire::ParseHostPort("address", address, 1).status());
  const std::string target(address);
  THALWEG_ASSIGN_OR_RETURN(
      std::shared_ptr<grpc::Channel> channel,
      MakeChannel(
          target,
          {.tls = options.tls, .token = options.token, .token_in_clear = options.token_in_clear},
          ChannelArguments(target)));
  const bool connected = channel->WaitForConnected(DeadlineAfter(options.connect_timeout));
  std::unique_ptr<Transport> transport(new Transport(target, options, std::move(channel)));
  if (!connected) {
    const std::string reason = transport->WhyUnreachable();
    return absl::UnavailableError(
        absl::StrCat("connect to ", target, ": ", reason, HintOf(reason, options.tls.has_value())));
  }
  return transport;
}

std::string Client::Transport::WhyUnreachable() {
  grpc::ClientContext context;
  context.set_deadline(DeadlineAfter(std::chrono::milliseconds(100)));
  v1::ListWorldsResponse response;
  const absl::Status status =
      FromGrpc(stub_->ListWorlds(&context, v1::ListWorldsRequest(), &response));
  if (!absl::IsUnavailable(status)) {
    return absl::StrCat("no answer within ",
                        std::chrono::duration<double>(options_.connect_timeout).count(), " s");
  }
  absl::string_view reason = status.message();
  absl::ConsumePrefix(&reason, "failed to connect to all addresses; last error: ");
  absl::ConsumePrefix(&reason, "UNKNOWN: ");
  return std::string(reason);
}

Backoff Client::Transport::NewBackoff() const {
  return Backoff(options_.max_attempts, options_.first_backoff, options_.max_backoff);
}

absl::Status Client::Transport::Retry(std::string_view operation, Backoff& backoff,
                                      const std::function<absl::Status()>& attempt) const {
  while (true) {
    absl::Status status = attempt();
    if (status.ok()) return status;
    const auto pause = PauseAfter(status, options_.max_retry_delay, backoff);
    if (!pause) return Explain(operation, status, address_, backoff.failed());
    std::this_thread::sleep_for(*pause);
  }
}

template <typename Request, typename Response>
absl::StatusOr<Response> Client::Transport::Unary(
    std::string_view operation, const Request& request,
    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*)) {
  Backoff backoff = NewBackoff();
  Response response;
  THALWEG_RETURN_IF_ERROR(Retry(operation, backoff, [&] {
    grpc::ClientContext context;
    context.set_deadline(DeadlineAfter(options_.call_timeout));
    if constexpr (std::is_same_v<Request, v1::GetTileRequest>) {
      NameArea(request.world(), request.key(), context);
    }
    return FromGrpc((stub_.get()->*method)(&context, request, &response));
  }));
  return response;
}

absl::StatusOr<v1::ListWorldsResponse> Client::Transport::ListWorlds(
    std::string_view operation, const v1::ListWorldsRequest& request) {
  return Unary(operation, request, &Stub::ListWorlds);
}

absl::StatusOr<v1::World> Client::Transport::GetWorld(std::string_view operation,
                                                      const v1::GetWorldRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(auto answer, Unary(operation, request, &Stub::GetWorld));
  return std::move(*answer.mutable_world());
}

absl::StatusOr<v1::Tile> Client::Transport::GetTile(std::string_view operation,
                                                    const v1::GetTileRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(auto answer, Unary(operation, request, &Stub::GetTile));
  return std::move(*answer.mutable_tile());
}

absl::StatusOr<v1::SampleHeightsResponse> Client::Transport::SampleHeights(
    std::string_view operation, const v1::SampleHeightsRequest& request) {
  return Unary(operation, request, &Stub::SampleHeights);
}

absl::StatusOr<v1::CreateWorldResponse> Client::Transport::CreateWorld(
    std::string_view operation, const v1::CreateWorldRequest& request) {
  return Unary(operation, request, &Stub::CreateWorld);
}

absl::StatusOr<v1::DeleteWorldResponse> Client::Transport::DeleteWorld(
    std::string_view operation, const v1::DeleteWorldRequest& request) {
  return Unary(operation, request, &Stub::DeleteWorld);
}

std::unique_ptr<SessionStream> Client::Transport::OpenSession() {
  return std::make_unique<SessionStream>(*stub_, std::make_unique<grpc::ClientContext>());
}

// Uses the asynchronous form of the call, which can limit the time between two tiles instead of the
// time of the whole stream, whose length the caller chooses.
absl::Status Client::Transport::StreamTiles(
    const v1::StreamTilesRequest& request,
    const std::function<absl::Status(const v1::Tile&)>& callback) {
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  NameArea(request.world(), request.first(), context);
  v1::StreamTilesResponse response;
  grpc::Status outcome;
  const auto stream = stub_->AsyncStreamTiles(&context, request, &queue, nullptr);
  const CallEnd end(context, queue);
  absl::Status silent = absl::DeadlineExceededError(absl::StrCat(
      "no tile for ", std::chrono::duration<double>(options_.stream_timeout).count(), " s"));

  bool ok = false;
  if (!Wait(queue, options_.stream_timeout, ok)) return silent;
  while (ok) {
    stream->Read(&response, nullptr);
    if (!Wait(queue, options_.stream_timeout, ok)) return silent;
    if (!ok) break;
    absl::Status taken = callback(response.tile());
    if (!taken.ok()) return taken;
  }
  stream->Finish(&outcome, nullptr);
  if (!Wait(queue, options_.stream_timeout, ok)) return silent;
  return FromGrpc(outcome);
}

}  // namespace thalweg
