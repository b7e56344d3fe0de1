// Makes channels: encrypted or not, with a token or without.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/tls.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg {

// One call of Session. One thread may read while another writes; a third may call Cancel.
class SessionStream {
 public:
  SessionStream(v1::TerrainService::Stub& stub, std::unique_ptr<grpc::ClientContext> context);

  // Waits for the next message. False if there are no more.
  bool Read(v1::SessionResponse& response);

  // Waits until gRPC has taken the message. False if the call has ended.
  bool Write(const v1::SessionRequest& request);

  // Ends the call: Read and Write return at once.
  void Cancel();

  // Returns why the call ended, with the details of the server's error. Call it once, after Read
  // has returned false and while no Write is under way.
  absl::Status Finish();

 private:
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
};

struct ChannelOptions {
  // Absent: not encrypted.
  std::optional<TlsOptions> tls;
  // Sent with every call; empty: none.
  std::string token;
  // Whether the token may be sent unencrypted to other machines.
  bool token_in_clear = false;
};

// Makes a channel to HOST:PORT, which is not connected yet. INVALID_ARGUMENT if a certificate lacks
// its key or is not PEM text, or if the token is invalid or would be sent unencrypted without
// permission.
absl::StatusOr<std::shared_ptr<grpc::Channel>> MakeChannel(const std::string& address,
                                                           const ChannelOptions& options,
                                                           grpc::ChannelArguments arguments);

// "; this port is for HTTP: ..." if gRPC says so of a server that can't be reached, else empty.
const char* HintOfHttp(const std::string& reason);

}  // namespace thalweg
