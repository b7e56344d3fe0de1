// Reads the C interface's options of a client, whichever version of the header the program was
// built with.
#pragma once

#include "absl/status/statusor.h"
#include "thalweg/client.h"
#include "thalweg/thalweg.h"

namespace thalweg {

// Null gives the defaults. INVALID_ARGUMENT if the size is invalid, or if fields are set that this
// library does not know.
absl::StatusOr<ClientOptions> FromC(const thalweg_client_options* options);

}  // namespace thalweg
