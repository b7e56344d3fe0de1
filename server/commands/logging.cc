#include "server/commands/logging.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <string>

namespace thalweg::commands {

namespace {

// Protobuf logs callers' invalid bytes, but the callers get that error anyway.
void LogOfProtobuf(google::protobuf::LogLevel level, const char*, int, const std::string& message) {
  spdlog::log(level == google::protobuf::LOGLEVEL_FATAL ? spdlog::level::err : spdlog::level::debug,
              "Protobuf: {}", message);
}

}  // namespace

void LogToStderr() {
  spdlog::set_default_logger(spdlog::stderr_color_mt("thalwegd"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
  gpr_set_log_function([](gpr_log_func_args* args) { spdlog::debug("gRPC: {}", args->message); });
  google::protobuf::SetLogHandler(LogOfProtobuf);
}

void LogError(const absl::Status& status) { spdlog::error("{}", std::string(status.message())); }

}  // namespace thalweg::commands
