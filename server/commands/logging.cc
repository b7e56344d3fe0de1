#include "server/commands/logging.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace thalweg::commands {
namespace {

bool IsOurFault(absl::StatusCode code) {
  return code == absl::StatusCode::kInternal || code == absl::StatusCode::kUnknown ||
         code == absl::StatusCode::kDataLoss || code == absl::StatusCode::kUnavailable;
}

// A word of a line; in quotes unless it is one plain word, so that a line has one meaning.
std::string Word(std::string_view text) {
  if (text.empty()) return "-";
  std::string escaped = absl::Utf8SafeCHexEscape({text.data(), text.size()});
  const bool plain = escaped == text && text != "-" && text.find(' ') == std::string_view::npos;
  return plain ? escaped : '"' + escaped + '"';
}

// Protobuf logs callers' invalid bytes, but the callers get that error anyway.
void LogOfProtobuf(google::protobuf::LogLevel level, const char*, int, const std::string& message) {
  spdlog::log(level == google::protobuf::LOGLEVEL_FATAL ? spdlog::level::err : spdlog::level::debug,
              "Protobuf: {}", message);
}

}  // namespace

std::string LineOf(const calls::CallReport& report) {
  const std::chrono::duration<double, std::milli> duration = report.duration;
  const absl::string_view message = report.status.message();
  return fmt::format("call id={} method={} code={} ms={:.3f} peer={} token={} message=\"{}\"",
                     report.id, NameOf(report.method),
                     absl::StatusCodeToString(report.status.code()), duration.count(),
                     Word(report.peer), Word(report.token_name), absl::Utf8SafeCHexEscape(message));
}

void CallLog::Ended(const calls::CallReport& report) {
  if (report.status.ok() || absl::IsCancelled(report.status)) return;
  const auto level = IsOurFault(report.status.code()) ? spdlog::level::warn : spdlog::level::debug;
  if (spdlog::should_log(level)) spdlog::log(level, "{}", LineOf(report));
}

void LogToStderr() {
  spdlog::set_default_logger(spdlog::stderr_color_mt("thalwegd"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
  gpr_set_log_function([](gpr_log_func_args* args) { spdlog::debug("gRPC: {}", args->message); });
  google::protobuf::SetLogHandler(LogOfProtobuf);
}

void LogError(const absl::Status& status) { spdlog::error("{}", std::string(status.message())); }

}  // namespace thalweg::commands
