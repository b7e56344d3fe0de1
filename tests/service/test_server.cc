#include "tests/service/test_server.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "server/tile/check_tile.h"
#include "server/tile/tile_query.h"
#include "tests/field/test_world.h"

namespace thalweg::service {

namespace {

std::vector<std::unique_ptr<cache::BackgroundStore>> InBackground(
    std::vector<std::unique_ptr<cache::TileStore>> stores) {
  std::vector<std::unique_ptr<cache::BackgroundStore>> background;
  for (auto& store : stores) {
    cache::BackgroundStoreOptions options;
    options.check = tile::CheckTile;
    background.push_back(
        std::make_unique<cache::BackgroundStore>(std::move(store), std::move(options)));
  }
  return background;
}

}  // namespace

TestServer::TestServer(TestServerOptions options)
    : access_(options.access == nullptr ? access::AccessControl::OfEveryone()
                                        : std::move(options.access)),
      worlds_(std::move(options.library)),
      cache_(options.cache_bytes),
      stores_(InBackground(std::move(options.stores))) {
  const bool has_stores = !stores_.stores().empty();
  if (options.worlds.empty()) options.worlds.push_back(field::TestWorld());
  if (options.backend == nullptr) options.backend = field::MakeFakeBackend(device_);
  if (worlds_ == nullptr) worlds_ = world::WorldLibrary::Of(options.worlds);
  const field::FieldOptions field{.block_cells = options.block_cells,
                                  .max_requests = options.max_requests};
  tiles_ = std::make_unique<tile::TileService>(tile::TileService::Parts{
      .field = std::make_unique<field::Field>(std::move(options.backend), field),
      .cache = &cache_,
      .stores = has_stores ? &stores_ : nullptr,
      .encode_threads = 2,
      .room = std::make_unique<sharing::AnswerRoom>(options.answer_bytes)});
  engine_ = {.worlds = worlds_.get(),
             .tiles = tiles_.get(),
             .access = access_.get(),
             .listeners = options.listeners,
             .sessions = &sessions_,
             .workers = &workers_};
  auto rpc = rpc::RpcServer::Start(engine_, "127.0.0.1:0", options.rpc);
  EXPECT_TRUE(rpc.ok()) << rpc.status();
  rpc_ = *std::move(rpc);
  if (options.credentials == nullptr) options.credentials = grpc::InsecureChannelCredentials();
  channel_ = grpc::CreateChannel(address(), options.credentials);
  stub_ = v1::TerrainService::NewStub(channel_);
}

TestServer::~TestServer() { device_->Open(); }

v1::GetTileRequest TileRequestOf(int level, std::int64_t x, std::int64_t y) {
  v1::GetTileRequest request;
  request.set_world("test-1");
  *request.mutable_key() = tile::ToProto({0, level, x, y});
  request.set_precision(v1::PRECISION_EXACT);
  return request;
}

v1::StreamTilesRequest RectangleRequestOf(int level, std::int64_t x, std::int64_t y,
                                          std::uint32_t columns, std::uint32_t rows) {
  v1::StreamTilesRequest request;
  request.set_world("test-1");
  *request.mutable_first() = tile::ToProto({0, level, x, y});
  request.set_columns(columns);
  request.set_rows(rows);
  request.set_precision(v1::PRECISION_EXACT);
  return request;
}

PendingTile::PendingTile(TestServer& server, const v1::GetTileRequest& request)
    : request_(request) {
  server.stub().async()->GetTile(&context_, &request_, &response_,
                                 [this](const grpc::Status& status) {
                                   const std::lock_guard lock(mutex_);
                                   status_ = status;
                                   changed_.notify_all();
                                 });
}

PendingTile::~PendingTile() {
  Cancel();
  Await();
}

grpc::Status PendingTile::Await() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return status_.has_value(); });
  return *status_;
}

void AwaitTrue(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::yield();
}

}  // namespace thalweg::service
