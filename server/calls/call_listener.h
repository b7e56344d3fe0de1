// Listeners of calls. They count or log them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::calls {

// The key in gRPC's metadata and the header in HTTP, in requests and in answers.
inline constexpr char kRequestIdKey[] = "x-request-id";

// Whether a caller's id may be used: 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'. Others
// could break the lines of a log.
bool IsRequestId(std::string_view id);

// A new id: 16 random hexadecimal digits.
std::string MakeRequestId();

// The caller's id if it has one that may be used, else a new one.
std::string RequestIdOf(const std::optional<std::string_view>& callers);

// The methods of thalweg.v1.TerrainService, and kinds of HTTP requests.
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
  kHttpHeights,
  kHttpTile,
  kHttpTileJson,
  kHttpMetrics,
  // Pages, health and unknown paths.
  kHttpOther,
};
inline constexpr int kMethodCount = static_cast<int>(Method::kHttpOther) + 1;

// The method's name in the contract, "GetTile"; for HTTP in lower case, "http_tile".
std::string_view NameOf(Method method);

// A call that has ended. The views are valid only during Ended.
struct CallReport {
  // The call's id: the caller's x-request-id, or a new one.
  std::string_view id;
  Method method = Method::kListWorlds;
  // The time from the call's arrival until its status was handed to the transport.
  std::chrono::nanoseconds duration{0};
  // The caller's address in gRPC's form, "ipv4:127.0.0.1:4711"; empty if the call succeeded.
  std::string_view peer;
  // The name of the caller's token; empty if it has none or the call was not admitted.
  std::string_view token_name;
  const absl::Status& status;
};

// Thread-safe; must not wait. Each call begins once, before it is admitted, and ends once.
class CallListener {
 public:
  virtual ~CallListener() = default;

  virtual void Began(Method method) = 0;
  // A response is about to be handed to the transport.
  virtual void Sent(Method method, std::size_t bytes) = 0;
  // A call has ended; the caller does not know it yet.
  virtual void Ended(const CallReport& report) = 0;
};

using CallListeners = std::vector<CallListener*>;

}  // namespace thalweg::calls
