#include "thalweg/health.h"

#include "client/cli/commands.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {

absl::StatusOr<std::string> Health(const std::string& server, bool json) {
  THALWEG_RETURN_IF_ERROR(CheckHealth(server));
  return json ? "{\"serving\":true}\n" : server + " serves\n";
}

}  // namespace thalweg::cli
