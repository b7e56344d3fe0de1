// Makes channels: encrypted or not, with a token or without.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "thalweg/tls.h"

namespace thalweg {

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

}  // namespace thalweg
