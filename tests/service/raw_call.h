// Calls to services without generated code here: bytes in, bytes out.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>

namespace thalweg::service {

struct RawAnswer {
  grpc::Status status;
  // The first message of the answer.
  std::string message;
};

// Calls a method, "/package.Service/Method", with one message and reads the first one that comes.
RawAnswer RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                  const std::string& message);

// The answer of grpc.health.v1.Health for a service: 1 is SERVING, 2 NOT_SERVING; -1 if it fails.
int HealthOf(const std::shared_ptr<grpc::Channel>& channel, const std::string& service);

}  // namespace thalweg::service
