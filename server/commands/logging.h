// Where logs go.
#pragma once

#include "absl/status/status.h"

namespace thalweg::commands {

// Sends the logs to stderr; those of gRPC and Protobuf only at level debug, since callers get these
// errors anyway. Call first, from main.
void LogToStderr();

// Logs an error that ends a command, in one line.
void LogError(const absl::Status& status);

}  // namespace thalweg::commands
