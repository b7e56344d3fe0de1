#include "server/commands/http_connections.h"

#include <algorithm>

namespace thalweg::commands {
namespace {

// The server's own files and sockets are about 40; the others are gRPC's connections. A proxy has a
// few for each of its workers.
constexpr std::uint64_t kOtherFiles = 256 + kMetricsConnections;

}  // namespace

std::size_t HttpConnectionsWithin(std::uint64_t max_files, std::size_t disk_files,
                                  std::size_t wanted) {
  if (max_files == 0) return wanted;
  const std::uint64_t others = kOtherFiles + disk_files;
  // A quarter where the system allows very few.
  const std::uint64_t fit =
      std::max({std::uint64_t{1}, max_files / 4, max_files - std::min(max_files, others)});
  return static_cast<std::size_t>(std::min<std::uint64_t>(wanted, fit));
}

}  // namespace thalweg::commands
