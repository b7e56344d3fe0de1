#include "server/commands/logging.h"

#include <grpc/support/log.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <string>

namespace thalweg::commands {

void LogToStderr() {
  spdlog::set_default_logger(spdlog::stderr_color_mt("thalwegd"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
  gpr_set_log_function([](gpr_log_func_args* args) { spdlog::debug("gRPC: {}", args->message); });
}

void LogError(const absl::Status& status) { spdlog::error("{}", std::string(status.message())); }

}  // namespace thalweg::commands
