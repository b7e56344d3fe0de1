// Calls over gRPC: deadlines, retries, and errors that name the operation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/src/connection/backoff.h"
#include "client/src/connection/session_stream.h"
#include "thalweg/client.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg {

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
