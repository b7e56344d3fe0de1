#include "server/access/caller.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/wire/status_details.h"

namespace thalweg::access {
namespace {

absl::Status Exhausted(const std::string& message, std::chrono::milliseconds wait) {
  absl::Status status = absl::ResourceExhaustedError(
      absl::StrFormat("%s; try again in %.3f s", message, static_cast<double>(wait.count()) / 1e3));
  wire::SetRetryDelay(status, wait);
  return status;
}

}  // namespace

Caller::Caller(Grant grant, const Clock& clock)
    : grant_(std::move(grant)),
      clock_(clock),
      calls_(grant_.calls_per_s, clock_()),
      cells_(grant_.cells_per_s, clock_()) {}

std::string Caller::Described() const {
  return grant_.name.empty() ? "a caller without a token"
                             : absl::StrCat("token '", grant_.name, "'");
}

absl::Status Caller::Require(Scope scope) const {
  if (Has(scope)) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat(Described(), " lacks the scope ", NameOf(scope)));
}

absl::Status Caller::CountCall() {
  // Callers without a limit don't wait for each other.
  if (grant_.calls_per_s == 0) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  const Time now = clock_();
  if (const auto wait = calls_.Wait(now); wait.count() > 0) {
    return Exhausted(
        absl::StrFormat("%s makes more than %g calls a second", Described(), grant_.calls_per_s),
        wait);
  }
  calls_.Take(1, now);
  return absl::OkStatus();
}

absl::Status Caller::MayGenerate() {
  const std::lock_guard lock(mutex_);
  const auto wait = cells_.Wait(clock_());
  if (wait.count() == 0) return absl::OkStatus();
  return Exhausted(absl::StrFormat("%s has more than %g cells a second generated", Described(),
                                   grant_.cells_per_s),
                   wait);
}

void Caller::ChargeCells(std::int64_t cells) {
  const std::lock_guard lock(mutex_);
  cells_.Take(static_cast<double>(cells), clock_());
}

}  // namespace thalweg::access
