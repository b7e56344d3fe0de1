#include "server/commands/call_log.h"

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

}  // namespace thalweg::commands
