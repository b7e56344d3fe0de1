// The C interface's options of a client, whichever version of the header the program was built
// with.
#pragma once

#include "absl/status/statusor.h"
#include "thalweg/client.h"
#include "thalweg/thalweg.h"

namespace thalweg {

// What they say; null is the defaults. INVALID_ARGUMENT if their size is none, or they set fields
// that this library does not know.
absl::StatusOr<ClientOptions> FromC(const thalweg_client_options* options);

}  // namespace thalweg
