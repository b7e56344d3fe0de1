// Who is told of calls: what counts them, and what writes them down.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::calls {

// The methods of thalweg.v1.TerrainService, and what HTTP is asked for.
enum class Method {
  kListWorlds,
  kGetWorld,
  kGetTile,
  kStreamTiles,
  kSession,
  kSampleHeights,
  kCreateWorld,
  kDeleteWorld,
  kHttpWorlds,
  kHttpWorld,
  kHttpCreateWorld,
  kHttpDeleteWorld,
  kHttpTile,
  kHttpTileJson,
  kHttpMetrics,
  // Pages, health, and what there is not.
  kHttpOther,
};
inline constexpr int kMethodCount = static_cast<int>(Method::kHttpOther) + 1;

// As the contract has it, "GetTile"; what HTTP is asked for in lower case, "http_tile".
std::string_view NameOf(Method method);

// A call that has ended. The views are valid while the listener is told.
struct CallReport {
  // What names the call to both sides: the caller's x-request-id, or one made for it.
  std::string_view id;
  Method method = Method::kListWorlds;
  // From the call's arrival until its status was handed to the transport.
  std::chrono::nanoseconds duration{0};
  // As gRPC has it, "ipv4:127.0.0.1:4711".
  std::string_view peer;
  // Of the caller's token; empty without one, and when it was not let in.
  std::string_view token_name;
  const absl::Status& status;
};

// Thread-safe; must not wait. A call begins once, before anything is asked of it, and ends once.
class CallListener {
 public:
  virtual ~CallListener() = default;

  virtual void Began(Method method) = 0;
  // A response of so many bytes is handed to the transport.
  virtual void Sent(Method method, std::size_t bytes) = 0;
  // Before the caller learns of the end.
  virtual void Ended(const CallReport& report) = 0;
};

using CallListeners = std::vector<CallListener*>;

}  // namespace thalweg::calls
