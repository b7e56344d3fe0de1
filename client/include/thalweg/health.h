// SPDX-License-Identifier: Apache-2.0

// The health of a server.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "thalweg/export.h"
#include "thalweg/tls.h"

namespace thalweg {

// Asks the health service (grpc.health.v1) of the server at HOST:PORT once, without a token. OK if
// the server is ready. UNAVAILABLE if it is not, or if no server answers. DEADLINE_EXCEEDED after
// the timeout. Any other error is the server's.
THALWEG_API absl::Status CheckHealth(
    std::string_view address, std::chrono::milliseconds timeout = std::chrono::milliseconds(3'000),
    const std::optional<TlsOptions>& tls = std::nullopt);

}  // namespace thalweg
