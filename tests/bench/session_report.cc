#include "tests/bench/session_report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace thalweg::bench {
namespace {

double Mean(const std::vector<std::uint64_t>& values) {
  double sum = 0;
  for (const std::uint64_t value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

double Least(const std::vector<std::uint64_t>& values) {
  return static_cast<double>(*std::min_element(values.begin(), values.end()));
}

double At(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

double Mib(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

std::string SessionTable(const SessionOptions& options, const SessionReport& report) {
  const double p50 = At(report.latencies_ms, 0.5);
  const double p99 = At(report.latencies_ms, 0.99);
  std::string text = absl::StrFormat(
      "%d sessions for %.1f s, %s; warmed in %.1f s\n"
      "  tiles a session          least %.0f, mean %.1f: %.2f of it\n"
      "  views settled, a session least %.0f, mean %.1f: %.2f of it\n"
      "  tiles a second, all      %.1f\n"
      "  tiles that failed        %d\n"
      "  a hot tile by name       p50 %.2f ms, p99 %.2f ms (%.1f x), most %.2f ms; %d of them\n",
      options.sessions, report.seconds,
      options.as_served ? "as fast as they are served"
                        : absl::StrFormat("at %g m/s", options.speed_m_s),
      report.warmed_s, Least(report.tiles), Mean(report.tiles),
      Least(report.tiles) / Mean(report.tiles), Least(report.settled), Mean(report.settled),
      Least(report.settled) / Mean(report.settled),
      Mean(report.tiles) * options.sessions / report.seconds, report.failed, p50, p99, p99 / p50,
      At(report.latencies_ms, 1), report.latencies_ms.size());
  if (!report.first_end.empty()) {
    absl::StrAppend(&text, "  a session ended          ", report.first_end, "\n");
  }
  for (const MemorySample& sample : report.memory) {
    absl::StrAppendFormat(&text,
                          "  memory after %5.0f s      %.1f MiB resident, %.1f of them its own\n",
                          sample.at_s, Mib(sample.resident_bytes), Mib(sample.anonymous_bytes));
  }
  return text;
}

std::string SessionJson(const SessionOptions& options, const SessionReport& report) {
  const auto memory =
      absl::StrJoin(report.memory, ", ", [](std::string* out, const MemorySample& sample) {
        absl::StrAppend(out, "{\"at_s\": ", sample.at_s,
                        ", \"resident_bytes\": ", sample.resident_bytes,
                        ", \"anonymous_bytes\": ", sample.anonymous_bytes, "}");
      });
  return absl::StrCat(
      "{\n  \"sessions\": ", options.sessions,
      ",\n  \"as_served\": ", options.as_served ? "true" : "false",
      ",\n  \"speed_m_s\": ", options.speed_m_s, ",\n  \"warmed_s\": ", report.warmed_s,
      ",\n  \"seconds\": ", report.seconds, ",\n  \"tiles\": [", absl::StrJoin(report.tiles, ", "),
      "],\n  \"settled\": [", absl::StrJoin(report.settled, ", "),
      "],\n  \"failed\": ", report.failed,
      ",\n  \"latency_ms\": {\"count\": ", report.latencies_ms.size(),
      ", \"p50\": ", At(report.latencies_ms, 0.5), ", \"p99\": ", At(report.latencies_ms, 0.99),
      ", \"max\": ", At(report.latencies_ms, 1), "},\n  \"memory\": [", memory, "]\n}\n");
}

}  // namespace thalweg::bench
