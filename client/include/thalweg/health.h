// SPDX-License-Identifier: Apache-2.0

// Whether a server is ready to be asked.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "thalweg/export.h"
#include "thalweg/tls.h"

namespace thalweg {

// Asks the health service (grpc.health.v1) of the server at HOST:PORT once. OK if it serves;
// UNAVAILABLE if it says that it does not, or nothing answers; DEADLINE_EXCEEDED after the timeout;
// whatever else the server answered otherwise. It takes no token.
THALWEG_API absl::Status CheckHealth(
    std::string_view address, std::chrono::milliseconds timeout = std::chrono::milliseconds(3'000),
    const std::optional<TlsOptions>& tls = std::nullopt);

}  // namespace thalweg
