#include "thalweg/health.h"

#include "client/cli/commands.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {

absl::StatusOr<std::string> Health(const std::string& server, const ClientOptions& options,
                                   bool json) {
  THALWEG_RETURN_IF_ERROR(CheckHealth(server, std::chrono::seconds(3), options.tls));
  return json ? "{\"serving\":true}\n" : server + " serves\n";
}

}  // namespace thalweg::cli
