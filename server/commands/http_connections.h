// How many connections of HTTP a server can have at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::commands {

// Connections of metrics_listen. Scrapers need a few.
inline constexpr std::size_t kMetricsConnections = 64;

// As many of the wanted ones, 1 or more, as leave room for gRPC, metrics, files and a cache on disk
// with up to `disk_files`. max_files: what the process may have open; 0: no limit.
std::size_t HttpConnectionsWithin(std::uint64_t max_files, std::size_t disk_files,
                                  std::size_t wanted);

}  // namespace thalweg::commands
