// Where logs go.
#pragma once

#include "absl/status/status.h"

namespace thalweg::commands {

// Our logs go to stderr; gRPC's and Protobuf's own join them when the level is debug, since they
// log what callers are told anyway. Call first, from main.
void LogToStderr();

// Logs an error that ends a command, in one line.
void LogError(const absl::Status& status);

}  // namespace thalweg::commands
