#include "server/access/caller.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>
#include <cstdlib>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "proto/wire/invalid.h"
#include "proto/wire/sha256.h"
#include "proto/wire/status_details.h"

namespace thalweg::access {
namespace {

constexpr std::array kScopes = {Scope::kRead, Scope::kBake, Scope::kCreateWorlds, Scope::kAdmin};

absl::Status Exhausted(const std::string& message, std::chrono::milliseconds wait) {
  absl::Status status = absl::ResourceExhaustedError(
      absl::StrFormat("%s; try again in %.3f s", message, static_cast<double>(wait.count()) / 1e3));
  wire::SetRetryDelay(status, wait);
  return status;
}

// The delay before the next try, if a call must wait for other calls of its caller to end.
constexpr std::chrono::milliseconds kRetryWhenBusy{1'000};

}  // namespace

std::string MakeToken() {
  std::array<unsigned char, 32> random;
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) std::abort();
  return "thalweg_" + absl::WebSafeBase64Escape(absl::string_view(
                          reinterpret_cast<const char*>(random.data()), random.size()));
}

TokenHash HashOf(std::string_view token) { return wire::Sha256(token); }

bool SameHash(const TokenHash& a, const TokenHash& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

const char* NameOf(Scope scope) {
  switch (scope) {
    case Scope::kRead:
      return "read";
    case Scope::kBake:
      return "bake";
    case Scope::kCreateWorlds:
      return "create-worlds";
    case Scope::kAdmin:
      return "admin";
  }
  std::abort();
}

ScopeSet ScopeSet::All() {
  ScopeSet all;
  for (const Scope scope : kScopes) all.Add(scope);
  return all;
}

absl::StatusOr<ScopeSet> ScopeSet::Parse(const std::string& names) {
  ScopeSet set;
  for (const absl::string_view name : absl::StrSplit(names, ',')) {
    bool known = false;
    for (const Scope scope : kScopes) {
      if (name != NameOf(scope)) continue;
      set.Add(scope);
      known = true;
    }
    if (!known) {
      return wire::Invalid("scope", "read, bake, create-worlds or admin",
                           absl::StrCat("'", name, "'"));
    }
  }
  return set;
}

std::string ScopeSet::List() const {
  std::string names;
  for (const Scope scope : kScopes) {
    if (Names(scope)) absl::StrAppend(&names, names.empty() ? "" : ",", NameOf(scope));
  }
  return names;
}

Caller::Caller(Grant grant, const CallerLimits& limits, const sharing::Clock& clock,
               std::shared_ptr<Revocation> revocation)
    : grant_(std::move(grant)),
      limits_{.max_calls = grant_.max_calls.value_or(limits.max_calls),
              .max_streams = grant_.max_streams.value_or(limits.max_streams)},
      clock_(clock),
      revocation_(std::move(revocation)),
      calls_(grant_.calls_per_s, clock_()),
      cells_(grant_.cells_per_s, clock_()),
      messages_(kMessagesPerS, clock_()) {}

std::string Caller::Described() const {
  return grant_.name.empty() ? "a caller without a token"
                             : absl::StrCat("token '", grant_.name, "'");
}

absl::Status Caller::Require(Scope scope) const {
  if (Has(scope)) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat("expected the scope ", NameOf(scope), ", which ",
                                                  Described(), " does not have"));
}

absl::Status Caller::Enter(CallKind kind) {
  const std::lock_guard lock(mutex_);
  if (grant_.calls_per_s > 0) {
    const sharing::Time now = clock_();
    if (const auto wait = calls_.Wait(now); wait.count() > 0) {
      return Exhausted(absl::StrFormat("%s makes too many calls (max %g a second)", Described(),
                                       grant_.calls_per_s),
                       wait);
    }
    calls_.Consume(1, now);
  }
  if (limits_.max_calls > 0 && running_calls_ >= limits_.max_calls) {
    return Exhausted(absl::StrFormat("%s makes too many calls (max %d at a time)", Described(),
                                     limits_.max_calls),
                     kRetryWhenBusy);
  }
  const bool lasts = kind == CallKind::kStream;
  if (lasts && limits_.max_streams > 0 && running_streams_ >= limits_.max_streams) {
    return Exhausted(absl::StrFormat("%s has too many streams and sessions (max %d at a time)",
                                     Described(), limits_.max_streams),
                     kRetryWhenBusy);
  }
  ++running_calls_;
  if (lasts) ++running_streams_;
  return absl::OkStatus();
}

void Caller::Leave(CallKind kind) {
  const std::lock_guard lock(mutex_);
  --running_calls_;
  if (kind == CallKind::kStream) --running_streams_;
}

absl::Status Caller::MayGenerate() {
  const std::lock_guard lock(mutex_);
  const auto wait = cells_.Wait(clock_());
  if (wait.count() == 0) return absl::OkStatus();
  return Exhausted(absl::StrFormat("%s asks for more than %g generated cells a second", Described(),
                                   grant_.cells_per_s),
                   wait);
}

void Caller::ChargeCells(std::int64_t cells) {
  const std::lock_guard lock(mutex_);
  cells_.Consume(static_cast<double>(cells), clock_());
}

std::chrono::milliseconds Caller::PaceMessage(double units) {
  const std::lock_guard lock(mutex_);
  const sharing::Time now = clock_();
  messages_.Consume(units, now);
  return messages_.Wait(now);
}

bool Caller::IsFresh() {
  const std::lock_guard lock(mutex_);
  const sharing::Time now = clock_();
  return calls_.IsFull(now) && cells_.IsFull(now) && messages_.IsFull(now);
}

}  // namespace thalweg::access
