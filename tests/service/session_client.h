// A client of the call Session, with only the generated code.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proto/wire/tile_key.h"
#include "tests/service/test_server.h"
#include "tests/service/token_server.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::service {

class SessionClient {
 public:
  // Opens a session of the world "test-1", with exact heights.
  explicit SessionClient(TestServer& server);
  // The same, with a token.
  SessionClient(TokenServer& server, const std::string& token);
  // Starts the call, but opens no session.
  SessionClient(TestServer& server, std::nullptr_t);
  // Cancels the call if it is not finished.
  ~SessionClient();

  // False when the session has ended.
  bool Send(const v1::SessionRequest& request) { return stream_->Write(request); }
  void Grant(std::uint32_t tiles, std::uint64_t bytes = std::uint64_t{1} << 40);
  void Want(const std::vector<wire::TileKey>& keys,
            v1::Priority priority = v1::PRIORITY_INTERACTIVE);
  void Have(const std::vector<v1::Tile>& tiles);
  void Look(const v1::View& view);

  // The next response; nothing if the session has ended.
  std::optional<v1::SessionResponse> Read();
  // Reads until the condition holds for a response, which is the last in the result, or to the end.
  std::vector<v1::SessionResponse> ReadUntil(
      const std::function<bool(const v1::SessionResponse&)>& condition);
  // Reads a number of tiles, and skips other messages between them.
  std::vector<v1::Tile> ReadTiles(std::size_t count);

  void HalfClose() { stream_->WritesDone(); }
  void Cancel() { context_.TryCancel(); }
  // Ends the call and returns its status.
  grpc::Status Finish();

 private:
  void Open();

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
  bool finished_ = false;
};

bool IsSettled(const v1::SessionResponse& response);

}  // namespace thalweg::service
