// The options of thalweg_session_bench, and its report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg::bench {

struct SessionOptions {
  std::string program;
  std::string device = "auto";
  int sessions = 64;
  double seconds = 60;
  double speed_m_s = 100;
  double leg_s = 30;
  double height_m = 500;
  int cache_mib = 4096;
  bool as_served = false;
  bool json = false;
};

struct MemorySample {
  double at_s = 0;
  std::int64_t resident_bytes = 0;
  std::int64_t anonymous_bytes = 0;
};

struct SessionReport {
  double warmed_s = 0;
  double seconds = 0;
  std::vector<std::uint64_t> tiles;    // by session
  std::vector<std::uint64_t> settled;  // views, by session
  std::vector<double> latencies_ms;    // sorted, of all sessions
  std::uint64_t failed = 0;
  // The first error that ended a session too early; empty if there was none.
  std::string first_end;
  std::vector<MemorySample> memory;
};

std::string SessionTable(const SessionOptions& options, const SessionReport& report);
std::string SessionJson(const SessionOptions& options, const SessionReport& report);

}  // namespace thalweg::bench
