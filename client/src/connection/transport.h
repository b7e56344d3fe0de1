// Calls over gRPC: deadlines, retries, and errors that name the operation.
#pragma once

#include <grpc/support/time.h>
#include <grpcpp/support/status.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/src/connection/channel.h"
#include "thalweg/client.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg {

// A time to come, by the clock that nobody sets; far away if the duration is. A deadline by the
// system's clock is compared with that clock when an operation begins and, while a channel
// connects, again whenever its state changes: it would move if the clock were set meanwhile.
inline gpr_timespec DeadlineAfter(std::chrono::milliseconds duration) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_millis(duration.count(), GPR_TIMESPAN));
}

// The longest time that a view waits before its next attempt, even if a server asks for more.
inline constexpr std::chrono::milliseconds kLongestDelay = std::chrono::hours(1);

// Counts the failed attempts of one call. Not thread-safe.
class Backoff {
 public:
  Backoff(int max_attempts, std::chrono::milliseconds first, std::chrono::milliseconds max)
      : max_attempts_(max_attempts), first_(first), max_(max), next_(first) {}

  // Counts a failed attempt. True if another one may follow, after Pause().
  bool Fail() { return ++failed_ < max_attempts_; }

  // The pause before the next attempt: twice the last one, up to the maximum.
  std::chrono::milliseconds Pause() {
    const std::chrono::milliseconds pause = std::min(next_, max_);
    next_ = std::min(next_ * 2, max_);
    return pause;
  }

  // Starts from zero, because the call has made progress.
  void Reset() {
    failed_ = 0;
    next_ = first_;
  }

  int failed() const { return failed_; }

 private:
  int max_attempts_;
  std::chrono::milliseconds first_;
  std::chrono::milliseconds max_;
  std::chrono::milliseconds next_;
  int failed_ = 0;
};

// Converts the code, the message as one line of limited length, and the text of the details. A call
// that a proxy cut off becomes UNAVAILABLE, because another attempt may succeed.
absl::Status FromGrpc(const grpc::Status& status);

// One channel to one server. Thread-safe.
class Client::Transport {
 public:
  // Waits for a server to answer at the address.
  static absl::StatusOr<std::unique_ptr<Transport>> Open(std::string_view address,
                                                         const ClientOptions& options);

  // Calls with one answer. Their errors begin with `operation`, such as "get world 'alps'".
  absl::StatusOr<v1::ListWorldsResponse> ListWorlds(std::string_view operation,
                                                    const v1::ListWorldsRequest& request);
  absl::StatusOr<v1::World> GetWorld(std::string_view operation,
                                     const v1::GetWorldRequest& request);
  absl::StatusOr<v1::Tile> GetTile(std::string_view operation, const v1::GetTileRequest& request);
  absl::StatusOr<v1::CreateWorldResponse> CreateWorld(std::string_view operation,
                                                      const v1::CreateWorldRequest& request);
  absl::StatusOr<v1::DeleteWorldResponse> DeleteWorld(std::string_view operation,
                                                      const v1::DeleteWorldRequest& request);

  // Makes one attempt at a stream. An error of the callback cancels the call and is returned
  // unchanged. An error of the server does not name the operation.
  absl::Status StreamTiles(const v1::StreamTilesRequest& request,
                           const std::function<absl::Status(const v1::Tile&)>& callback);

  // Begins a session. The stream reports its errors.
  std::unique_ptr<SessionStream> OpenSession();

  absl::StatusOr<v1::SampleHeightsResponse> SampleHeights(std::string_view operation,
                                                          const v1::SampleHeightsRequest& request);

  // Repeats an attempt, as often as the backoff allows, while it fails with UNAVAILABLE, or with
  // RESOURCE_EXHAUSTED and a delay. Returns the last attempt's error, with `operation` before it.
  absl::Status Retry(std::string_view operation, Backoff& backoff,
                     const std::function<absl::Status()>& attempt) const;

  Backoff NewBackoff() const;
  const ClientOptions& options() const { return options_; }

 private:
  Transport(std::string address, const ClientOptions& options,
            std::shared_ptr<grpc::Channel> channel);

  // Returns why the channel can't connect; only a call that does not wait shows the cause.
  std::string WhyUnreachable();

  // Calls a method of the service, with its deadline and its retries.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Unary(std::string_view operation, const Request& request,
                                 grpc::Status (v1::TerrainService::Stub::*method)(
                                     grpc::ClientContext*, const Request&, Response*));

  std::string address_;
  ClientOptions options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::TerrainService::Stub> stub_;
};

}  // namespace thalweg
