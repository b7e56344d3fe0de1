// The answers of a hostile server. The first byte chooses the kind: worlds, a world, a tile,
// heights, the texts of an error, or a session. A session's message is a length (two bytes, the
// lower one first) and this many bytes. Accepted answers are used as the library uses them.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "client/src/calls/region_plan.h"
#include "client/src/contract/checked_response.h"
#include "client/src/contract/messages.h"
#include "client/src/session/session_rules.h"
#include "client/src/store/tile_folder.h"
#include "proto/geometry/selection.h"
#include "proto/wire/status_details.h"
#include "tests/fuzz/target.h"

namespace {

using namespace thalweg;

void Require(bool condition) {
  if (!condition) std::abort();
}

template <typename Message>
bool Parse(std::string_view bytes, Message& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Whether the status is an error. Every error must be one line of text that is not empty.
bool Refused(const absl::Status& status) {
  if (status.ok()) return false;
  const std::string message(status.message());
  Require(!message.empty() && message.size() < 10'000 && OneLine(message, 10'000) == message);
  return true;
}

void UseWorld(const WorldInfo& world) {
  Require(world.levels >= 1 && world.levels <= wire::kMaxLevels);
  Require(world.talus_deg.size() == static_cast<std::size_t>(world.levels));
  Require(world.Has(Layer::kHeight) && world.id.size() == 32);
  Require(world.CellSizeM(world.levels - 1) > 0 && world.CellSizeM(0) <= 4'096);
  Require(world.max_vertex > 0 && -world.max_vertex < 0);
}

void TakeWorld(std::string_view bytes) {
  v1::World message;
  if (!Parse(bytes, message)) return;
  const auto world = FromMessage(message);
  if (!Refused(world.status())) UseWorld(*world);
}

void TakeWorlds(std::string_view bytes) {
  v1::ListWorldsResponse message;
  if (!Parse(bytes, message) || Refused(CheckWorlds(message, "", 0))) return;
  for (const v1::World& world : message.worlds()) {
    const auto info = FromMessage(world);
    Require(info.ok());
    UseWorld(*info);
  }
}

void TakeTile(std::string_view bytes) {
  v1::Tile message;
  if (!Parse(bytes, message)) return;
  ReceivedTiles received({.first = {.level = 3}, .columns = 2, .rows = 2}, FormOf({}));
  received.Begin();
  const auto tile = received.Receive(message);
  if (Refused(tile.status())) return;
  Require(tile->has_value());
  const Plane& heights = (*tile)->planes.at(0);
  Require(heights.values.size() == kTileVertices * kTileVertices);
  Require(std::all_of(heights.values.begin(), heights.values.end(), [&](std::int32_t value) {
    return value >= heights.min && value <= heights.max;
  }));
  const FiledTile filed = FiledAs(message);
  Require(FromFileName(FileNameOf(filed)).has_value() && FromFile(FileOf(message), filed).ok());
}

void TakeHeights(std::string_view bytes) {
  v1::SampleHeightsResponse message;
  if (Parse(bytes, message)) Refused(CheckHeights(message, 3));
}

void TakeError(std::string_view bytes) {
  const std::string line = OneLine(bytes, 100);
  Require(line.size() <= 103 && line.find_first_of("\n\r\x1b") == std::string::npos);
  absl::Status status = absl::UnavailableError(line);
  wire::DecodeDetails(std::string(bytes), status);
  const auto delay = wire::RetryDelayOf(status);
  Require(!delay || delay->count() >= 0);
}

// A session over the origin. Responses that obey the rules are kept, and levels are chosen by them.
class Flight {
 public:
  bool Take(const v1::SessionResponse& response) {
    return opened_ ? TakeNext(response) : Open(response);
  }

  void Choose() const {
    if (!opened_) return;
    lod::View view{.position = {0, 0, 1'000}, .direction = {1, 0, -0.2}, .range_m = 20'000};
    view.tolerated_error_px = 100;
    lod::Selection::Of(view, grid_, [this](const wire::TileKey& key) -> const lod::TileFacts* {
      const auto found = facts_.find(key);
      return found == facts_.end() ? nullptr : &found->second;
    });
  }

 private:
  static constexpr std::uint32_t kCredit = 8;

  bool Open(const v1::SessionResponse& response) {
    if (!response.has_opened() || Refused(CheckOpened(response.opened()))) return false;
    grid_ = {.cell_size_m = response.opened().cell_size_m(),
             .levels = static_cast<int>(response.opened().levels())};
    rules_.Begin(grid_);
    v1::SessionRequest request;
    request.mutable_credit()->set_tiles(kCredit);
    request.mutable_credit()->set_bytes(1 << 20);
    rules_.Sent(request);
    request.mutable_view()->set_id(1);
    request.mutable_view()->set_range_m(20'000);
    request.mutable_view()->mutable_velocity_m_s()->set_east(100);
    request.mutable_view()->set_lookahead_s(4);
    rules_.Sent(request);
    return opened_ = true;
  }

  bool TakeNext(const v1::SessionResponse& response) {
    if (Refused(rules_.Received(response))) return false;
    if (!response.has_tile()) return true;
    Require(++tiles_ <= kCredit);
    const auto tile = FromMessage(response.tile(), FormOf({}));
    if (!Refused(tile.status()))
      facts_[ToWire(response.tile().key())] = FiledAs(response.tile()).facts;
    return true;
  }

  bool opened_ = false;
  std::uint32_t tiles_ = 0;
  lod::WorldGrid grid_;
  SessionRules rules_;
  absl::flat_hash_map<wire::TileKey, lod::TileFacts> facts_;
};

void TakeSession(std::string_view bytes) {
  Flight flight;
  while (bytes.size() >= 2) {
    const auto byte = [&](std::size_t n) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[n]));
    };
    const std::size_t length = std::min(byte(0) + 256 * byte(1), bytes.size() - 2);
    v1::SessionResponse response;
    const bool parsed = Parse(bytes.substr(2, length), response);
    bytes.remove_prefix(2 + length);
    if (parsed && !flight.Take(response)) break;
  }
  flight.Choose();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0:
      TakeWorld(bytes);
      break;
    case 1:
      TakeWorlds(bytes);
      break;
    case 2:
      TakeTile(bytes);
      break;
    case 3:
      TakeHeights(bytes);
      break;
    case 4:
      TakeError(bytes);
      break;
    default:
      TakeSession(bytes);
  }
  return 0;
}
