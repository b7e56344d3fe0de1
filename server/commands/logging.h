// Sets up logs.
#pragma once

#include "absl/status/status.h"

namespace thalweg::commands {

// Sends logs to stderr. Those of gRPC and Protobuf are only logged at level debug, since callers
// get these errors anyway. Call it first in main.
void LogToStderr();

// Logs an error that ends a command, in one line.
void LogError(const absl::Status& status);

}  // namespace thalweg::commands
