// Sets up logs.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/calls/call_listener.h"

namespace thalweg::commands {

// The line for a call: call id=... method=... code=... ms=... peer=... token=... message="...".
// Texts that callers choose are escaped. `token` is the token's name, never the token.
std::string LineOf(const calls::CallReport& report);

// Logs a line for each call that failed: as a warning if the fault is the server's (INTERNAL,
// UNKNOWN, DATA_LOSS, UNAVAILABLE), else at level debug. Calls that their callers cancelled did not
// fail. Thread-safe.
class CallLog final : public calls::CallListener {
 public:
  void Began(calls::Method /*method*/) override {}
  void Sent(calls::Method /*method*/, std::size_t /*bytes*/) override {}
  void Ended(const calls::CallReport& report) override;
};

// Sends logs to stderr. Those of gRPC and Protobuf are only logged at level debug, since callers
// get these errors anyway. Call it first in main.
void LogToStderr();

// Logs an error that ends a command, in one line.
void LogError(const absl::Status& status);

}  // namespace thalweg::commands
