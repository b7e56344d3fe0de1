// Who calls: what they may do, and what they have used.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "server/access/rate_limiter.h"
#include "server/access/revocation.h"
#include "server/access/scope.h"
#include "server/access/token.h"

namespace thalweg::access {

// What a line of the tokens file gives.
struct Grant {
  // Empty for callers without a token.
  std::string name;
  TokenHash hash;
  ScopeSet scopes;
  // 0: no limit.
  double calls_per_s = 0;
  double cells_per_s = 0;

  friend bool operator==(const Grant&, const Grant&) = default;
};

// A token in use, shared by all calls that show it. Thread-safe.
class Caller {
 public:
  Caller(Grant grant, const Clock& clock);

  const Grant& grant() const { return grant_; }
  bool Has(Scope scope) const { return grant_.scopes.Has(scope); }
  // PERMISSION_DENIED names what is missing.
  absl::Status Require(Scope scope) const;

  // Counts a call. RESOURCE_EXHAUSTED, with the delay after which to try again, when there were too
  // many.
  absl::Status CountCall();
  // Whether something may be generated now; RESOURCE_EXHAUSTED as CountCall.
  absl::Status MayGenerate();
  // Counts cells that are generated for this caller.
  void ChargeCells(std::int64_t cells);

  // For calls that last: told when the tokens file no longer has this caller as it is.
  Revocation& revocation() { return revocation_; }

 private:
  std::string Described() const;

  const Grant grant_;
  const Clock clock_;
  std::mutex mutex_;
  RateLimiter calls_;
  RateLimiter cells_;
  Revocation revocation_;
};

}  // namespace thalweg::access
