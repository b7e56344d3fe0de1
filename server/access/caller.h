// A caller: what it may do, and what it has used.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "server/access/rate_limiter.h"
#include "server/access/revocation.h"
#include "server/access/scope.h"
#include "server/access/token.h"

namespace thalweg::access {

// The rights and limits of a line of the tokens file.
struct Grant {
  // Empty for callers without a token.
  std::string name;
  TokenHash hash;
  ScopeSet scopes;
  // 0: no limit.
  double calls_per_s = 0;
  double cells_per_s = 0;
  // As in CallerLimits; absent: the server's default.
  std::optional<std::uint32_t> max_calls = std::nullopt;
  std::optional<std::uint32_t> max_streams = std::nullopt;

  friend bool operator==(const Grant&, const Grant&) = default;
};

// What one caller may have at a time. 0: no limit.
struct CallerLimits {
  // Calls of every kind.
  std::uint32_t max_calls = 0;
  // Of them, long ones: StreamTiles and Session.
  std::uint32_t max_streams = 0;
};

// Messages of the smallest size that all of a caller's sessions may send in a second.
inline constexpr double kMessagesPerS = 16'384;

// Calls with one answer, and long calls.
enum class CallKind : std::uint8_t { kSingle, kStream };

class Caller;
using CallerPointer = std::shared_ptr<Caller>;

// A token in use, or an address without one, shared by all its calls. Thread-safe.
class Caller {
 public:
  // A caller that shares its revocation with others.
  Caller(Grant grant, const CallerLimits& limits, const Clock& clock,
         std::shared_ptr<Revocation> revocation = std::make_shared<Revocation>());

  const Grant& grant() const { return grant_; }
  bool Has(Scope scope) const { return grant_.scopes.Has(scope); }
  // PERMISSION_DENIED names what is missing.
  absl::Status Require(Scope scope) const;

  // Counts a call. RESOURCE_EXHAUSTED, with the delay for the next try, when there were too many.
  absl::Status CountCall();
  // Lets a call in, which must Leave later. RESOURCE_EXHAUSTED, with a delay, when too many are
  // under way.
  absl::Status Enter(CallKind kind);
  void Leave(CallKind kind);
  // Whether a tile may be generated now; RESOURCE_EXHAUSTED as CountCall.
  absl::Status MayGenerate();
  // Counts cells that are generated for this caller.
  void ChargeCells(std::int64_t cells);

  // Counts what a message within a call costs, in units of the smallest one. Gives how long until
  // the next one of this caller may be read: messages beyond the rate are delayed, not refused.
  std::chrono::milliseconds PaceMessage(double units);

  // Whether it is as a new caller would be: without debt and with full budgets.
  bool IsFresh();

  // For long calls: revoked when the tokens file no longer has this caller unchanged.
  Revocation& revocation() { return *revocation_; }

 private:
  std::string Described() const;

  const Grant grant_;
  const CallerLimits limits_;
  const Clock clock_;
  const std::shared_ptr<Revocation> revocation_;
  std::mutex mutex_;
  RateLimiter calls_;
  RateLimiter cells_;
  RateLimiter messages_;
  std::uint32_t calls_under_way_ = 0;
  std::uint32_t streams_under_way_ = 0;
};

}  // namespace thalweg::access
