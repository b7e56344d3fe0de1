// Calls that keep the device busy, or fill the memory.
#include <condition_variable>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "tests/neighbour/neighbour.h"

namespace thalweg::neighbour {
namespace {

// Together the streams are enough to fill a queue in which callers have no shares.
constexpr int kStreamsPerConnection = 60;
constexpr std::uint32_t kColdSide = 256;
constexpr int kTilesPerConnection = 32;
// A hundred in all, and how many tiles each asks for in a row and a column: a whole window.
constexpr int kUnreadStreamsPerConnection = 25;
constexpr std::uint32_t kUnreadSide = 8;
// Two hundred in all.
constexpr int kPlanetsPerConnection = 50;
// The finest level of the tests' worlds.
constexpr int kDeepest = 3;

// Ground that no other caller asks for.
std::int64_t FarOut(std::uint64_t round) {
  return (1 << 16) + static_cast<std::int64_t>((round >> 32) * 1'024 + round % 1'024) * 256;
}

// A square of cold tiles.
v1::StreamTilesRequest ColdSquare(const Connection& connection, std::uint64_t round,
                                  std::uint32_t side) {
  v1::StreamTilesRequest request;
  request.set_world(connection.world());
  *request.mutable_first() = KeyOf(0, FarOut(round), 0);
  request.set_columns(side);
  request.set_rows(side);
  return request;
}

void StreamColdTiles(const Place&, Connection& connection, std::uint64_t round,
                     const std::stop_token& stop) {
  Connection::Call call(stop);
  const auto stream =
      connection.stub().StreamTiles(call.get(), ColdSquare(connection, round, kColdSide));
  v1::StreamTilesResponse response;
  while (stream->Read(&response)) continue;
  stream->Finish();
}

// Asks for tiles that are large, and reads none.
void LeaveTilesUnread(const Place&, Connection& connection, std::uint64_t round,
                      const std::stop_token& stop) {
  Connection::Call call(stop);
  v1::StreamTilesRequest request = ColdSquare(connection, round, kUnreadSide);
  request.set_precision(v1::PRECISION_EXACT);
  for (const v1::Layer layer : {v1::LAYER_HEIGHT, v1::LAYER_SLOPE, v1::LAYER_NORMAL}) {
    request.add_layers(layer);
  }
  const auto stream = connection.stub().StreamTiles(call.get(), request);
  stream->WaitForInitialMetadata();
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait(lock, stop, [] { return false; });
}

// Each tile costs a block of every level.
void GetDeepTiles(const Place&, Connection& connection, std::uint64_t round,
                  const std::stop_token& stop) {
  Connection::Call call(stop);
  v1::GetTileRequest request;
  request.set_world(connection.world());
  *request.mutable_key() = KeyOf(kDeepest, FarOut(round), 1 << 20);
  v1::GetTileResponse response;
  connection.stub().GetTile(call.get(), request, &response);
}

// Level 0 of a planet is one long run, and each seed makes another planet.
void GetNewPlanets(const Place&, Connection& connection, std::uint64_t round,
                   const std::stop_token& stop) {
  Connection::Call call(stop);
  v1::GetTileRequest request;
  request.set_world(absl::StrCat("blue-planet@", round));
  *request.mutable_key() = KeyOf(0, 0, 0);
  v1::GetTileResponse response;
  connection.stub().GetTile(call.get(), request, &response);
}

}  // namespace

std::vector<Neighbour> HostileCalls() {
  return {{"streams", kStreamsPerConnection, StreamColdTiles},
          {"unread-streams", kUnreadStreamsPerConnection, LeaveTilesUnread},
          {"deep-tiles", kTilesPerConnection, GetDeepTiles},
          {"new-planets", kPlanetsPerConnection, GetNewPlanets}};
}

}  // namespace thalweg::neighbour
