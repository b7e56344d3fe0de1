// Calls that keep the device busy.
#include "tests/neighbour/neighbour.h"

namespace thalweg::neighbour {
namespace {

// Together the streams are enough to fill a queue in which callers have no shares.
constexpr int kStreamsPerConnection = 60;
constexpr std::uint32_t kColumns = 256;
constexpr std::uint32_t kRows = 256;
constexpr int kTilesPerConnection = 32;
// The finest level of the tests' worlds.
constexpr int kDeepest = 3;

// Ground that no other caller asks for.
std::int64_t FarOut(std::uint64_t round) {
  return (1 << 16) + static_cast<std::int64_t>((round >> 32) * 1'024 + round % 1'024) * 256;
}

void StreamColdTiles(const Place&, Connection& connection, std::uint64_t round,
                     const std::stop_token& stop) {
  Connection::Call call(stop);
  v1::StreamTilesRequest request;
  request.set_world(connection.world());
  *request.mutable_first() = KeyOf(0, FarOut(round), 0);
  request.set_columns(kColumns);
  request.set_rows(kRows);
  const auto stream = connection.stub().StreamTiles(call.get(), request);
  v1::StreamTilesResponse response;
  while (stream->Read(&response)) continue;
  stream->Finish();
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

}  // namespace

std::vector<Neighbour> HostileCalls() {
  return {{"streams", kStreamsPerConnection, StreamColdTiles},
          {"deep-tiles", kTilesPerConnection, GetDeepTiles}};
}

}  // namespace thalweg::neighbour
