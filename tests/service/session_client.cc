#include "tests/service/session_client.h"

#include <gtest/gtest.h>

#include <utility>

#include "server/tile/tile_query.h"

namespace thalweg::service {

SessionClient::SessionClient(TestServer& server) : SessionClient(server, nullptr) { Open(); }

SessionClient::SessionClient(TokenServer& server, const std::string& token) {
  Show(context_, token);
  stream_ = server->stub().Session(&context_);
  Open();
}

SessionClient::SessionClient(TestServer& server, std::nullptr_t)
    : stream_(server.stub().Session(&context_)) {}

void SessionClient::Open() {
  v1::SessionRequest request;
  request.mutable_open()->set_world("test-1");
  request.mutable_open()->set_precision(v1::PRECISION_EXACT);
  EXPECT_TRUE(Send(request));
  const auto response = Read();
  EXPECT_TRUE(response && response->has_opened());
}

SessionClient::~SessionClient() {
  if (finished_) return;
  context_.TryCancel();
  stream_->Finish();
}

void SessionClient::Grant(std::uint32_t tiles, std::uint64_t bytes) {
  v1::SessionRequest request;
  request.mutable_credit()->set_tiles(tiles);
  request.mutable_credit()->set_bytes(bytes);
  EXPECT_TRUE(Send(request));
}

void SessionClient::Want(const std::vector<wire::TileKey>& keys, v1::Priority priority) {
  v1::SessionRequest request;
  for (const wire::TileKey& key : keys) *request.mutable_want()->add_keys() = tile::ToProto(key);
  request.mutable_want()->set_priority(priority);
  EXPECT_TRUE(Send(request));
}

void SessionClient::Have(const std::vector<v1::Tile>& tiles) {
  v1::SessionRequest request;
  for (const v1::Tile& tile : tiles) {
    v1::HaveTile& have = *request.mutable_have()->add_tiles();
    *have.mutable_key() = tile.key();
    have.set_tag(tile.tag());
    have.set_geometric_error(tile.geometric_error());
    have.set_min_height(tile.layers(0).min());
    have.set_max_height(tile.layers(0).max());
  }
  EXPECT_TRUE(Send(request));
}

void SessionClient::Look(const v1::View& view) {
  v1::SessionRequest request;
  *request.mutable_view() = view;
  EXPECT_TRUE(Send(request));
}

std::optional<v1::SessionResponse> SessionClient::Read() {
  v1::SessionResponse response;
  if (!stream_->Read(&response)) return std::nullopt;
  return response;
}

std::vector<v1::SessionResponse> SessionClient::ReadUntil(
    const std::function<bool(const v1::SessionResponse&)>& condition) {
  std::vector<v1::SessionResponse> responses;
  while (auto response = Read()) {
    responses.push_back(*std::move(response));
    if (condition(responses.back())) break;
  }
  return responses;
}

std::vector<v1::Tile> SessionClient::ReadTiles(std::size_t count) {
  std::vector<v1::Tile> tiles;
  while (tiles.size() < count) {
    auto response = Read();
    if (!response) break;
    if (response->has_tile()) tiles.push_back(std::move(*response->mutable_tile()));
  }
  EXPECT_EQ(tiles.size(), count);
  return tiles;
}

grpc::Status SessionClient::Finish() {
  finished_ = true;
  return stream_->Finish();
}

bool IsSettled(const v1::SessionResponse& response) { return response.has_settled(); }

}  // namespace thalweg::service
