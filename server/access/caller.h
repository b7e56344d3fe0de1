// A caller: its rights and limits, and what it has used.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "server/access/revocation.h"
#include "server/sharing/rate_limiter.h"

namespace thalweg::access {

// The SHA-256 of a token, 32 bytes. Needs no salt and no slow hash: a token has 256 random bits,
// too many to try.
using TokenHash = std::string;

// A new token: "thalweg_" and 32 random bytes in base64url. Aborts if the system has no randomness.
std::string MakeToken();

TokenHash HashOf(std::string_view token);

// Whether two hashes are equal, in a time that does not depend on their bytes.
bool SameHash(const TokenHash& a, const TokenHash& b);

// The rights of callers.
enum class Scope : std::uint8_t {
  // To get worlds and their tiles.
  kRead = 1,
  // To get tiles with the priority of bakes.
  kBake = 2,
  // To create worlds, and to delete one's own.
  kCreateWorlds = 3,
  // All rights, and to delete worlds that others created.
  kAdmin = 4,
};

// "read", "bake", "create-worlds" or "admin".
const char* NameOf(Scope scope);

class ScopeSet {
 public:
  ScopeSet() = default;
  static ScopeSet All();
  // Parses names with commas between them. INVALID_ARGUMENT names the unknown one.
  static absl::StatusOr<ScopeSet> Parse(const std::string& names);

  void Add(Scope scope) { bits_ |= BitOf(scope); }
  // Whether the set gives a scope. An administrator has every scope.
  bool Has(Scope scope) const { return (bits_ & (BitOf(scope) | BitOf(Scope::kAdmin))) != 0; }
  // Whether the scope was given explicitly.
  bool Names(Scope scope) const { return (bits_ & BitOf(scope)) != 0; }
  // The names that were given, with commas between them.
  std::string List() const;

  friend bool operator==(const ScopeSet&, const ScopeSet&) = default;

 private:
  static std::uint32_t BitOf(Scope scope) { return 1U << static_cast<unsigned>(scope); }

  std::uint32_t bits_ = 0;
};

// The rights and limits in a line of the tokens file.
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

// How many calls a caller may have at a time. 0: no limit.
struct CallerLimits {
  // Calls of all kinds.
  std::uint32_t max_calls = 0;
  // Long ones among them: StreamTiles and Session.
  std::uint32_t max_streams = 0;
};

// The number of messages, of the smallest size, that all sessions of a caller may send in a second.
inline constexpr double kMessagesPerS = 16'384;

// Calls with one answer, and long calls.
enum class CallKind : std::uint8_t { kSingle, kStream };

class Caller;
using CallerPointer = std::shared_ptr<Caller>;

// A token in use, or an address without one; all its calls share it. Thread-safe.
class Caller {
 public:
  // revocation: callers may share one.
  Caller(Grant grant, const CallerLimits& limits, const sharing::Clock& clock,
         std::shared_ptr<Revocation> revocation = std::make_shared<Revocation>());

  const Grant& grant() const { return grant_; }
  bool Has(Scope scope) const { return grant_.scopes.Has(scope); }
  // PERMISSION_DENIED names the missing scope.
  absl::Status Require(Scope scope) const;

  // Lets a call in, which must Leave later. RESOURCE_EXHAUSTED, with the delay for the next try, if
  // the caller made too many calls a second, or has too many under way. In the second case the
  // call still counts for the rate.
  absl::Status Enter(CallKind kind);
  void Leave(CallKind kind);
  // OK if a tile may be generated now; RESOURCE_EXHAUSTED as Enter.
  absl::Status MayGenerate();
  // Counts cells that are generated for this caller.
  void ChargeCells(std::int64_t cells);

  // Counts the cost of a message within a call, in units of the smallest one. Returns how long to
  // wait before this caller's next one is read: messages beyond the rate are delayed, not refused.
  std::chrono::milliseconds PaceMessage(double units);

  // Whether it equals a new caller: without debt and with full budgets.
  bool IsFresh();

  // For long calls. Revoked when the tokens file no longer has this caller unchanged.
  Revocation& revocation() { return *revocation_; }

 private:
  std::string Described() const;

  const Grant grant_;
  const CallerLimits limits_;
  const sharing::Clock clock_;
  const std::shared_ptr<Revocation> revocation_;
  std::mutex mutex_;
  sharing::RateLimiter calls_;
  sharing::RateLimiter cells_;
  sharing::RateLimiter messages_;
  std::uint32_t running_calls_ = 0;
  std::uint32_t running_streams_ = 0;
};

}  // namespace thalweg::access
