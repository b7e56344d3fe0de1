#include "tests/neighbour/neighbour.h"

#include <iterator>
#include <utility>

namespace thalweg::neighbour {
namespace {

// WellBehaved asks for a square of kHotSide x kHotSide tiles of level 0.
constexpr std::int64_t kHotSide = 4;

std::unique_ptr<v1::TerrainService::Stub> Connect(int port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  return v1::TerrainService::NewStub(grpc::CreateCustomChannel(
      "127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(), arguments));
}

}  // namespace

Connection::Connection(const Place& place) : world_(place.world), stub_(Connect(place.rpc_port)) {}

Connection::Call::Call(const std::stop_token& stop)
    : on_stop_(stop, [this] { context_.TryCancel(); }) {
  context_.AddMetadata("x-forwarded-for", kNeighbourAddress);
}

AtWork::AtWork(const Place& place, Neighbour neighbour)
    : place_(place), neighbour_(std::move(neighbour)) {
  for (int n = 0; n < kConnections; ++n) {
    connections_.push_back(std::make_unique<Connection>(place_));
  }
  for (int n = 0; n < kConnections * neighbour_.callers_per_connection; ++n) {
    Connection& connection = *connections_[static_cast<std::size_t>(n % kConnections)];
    callers_.emplace_back([this, n, &connection](const std::stop_token& stop) {
      // Callers begin at different rounds, so that no two ask for the same tile.
      auto round = static_cast<std::uint64_t>(n) << 32;
      while (!stop.stop_requested()) {
        neighbour_.run(place_, connection, round++, stop);
        ++rounds_;
      }
    });
  }
}

AtWork::~AtWork() {
  for (std::jthread& caller : callers_) caller.request_stop();
}

v1::TileKey KeyOf(int level, std::int64_t x, std::int64_t y) {
  v1::TileKey key;
  key.set_level(static_cast<std::uint32_t>(level));
  key.set_x(x);
  key.set_y(y);
  return key;
}

Neighbour WellBehaved(int callers_per_connection) {
  return {.name = "well-behaved",
          .callers_per_connection = callers_per_connection,
          .run = [](const Place&, Connection& connection, std::uint64_t round,
                    const std::stop_token& stop) {
            Connection::Call call(stop);
            const auto n = static_cast<std::int64_t>(round % (kHotSide * kHotSide));
            v1::GetTileRequest request;
            request.set_world(connection.world());
            *request.mutable_key() = KeyOf(0, n % kHotSide, n / kHotSide);
            v1::GetTileResponse response;
            connection.stub().GetTile(call.get(), request, &response);
          }};
}

std::vector<Neighbour> HostileNeighbours() {
  std::vector<Neighbour> all;
  for (auto part : {HostileSessions, HostileCalls, HostileWorlds, HostileBytes}) {
    std::vector<Neighbour> some = part();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace thalweg::neighbour
