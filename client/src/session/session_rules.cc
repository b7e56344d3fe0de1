#include "client/src/session/session_rules.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/src/contract/checked_response.h"
#include "client/src/contract/messages.h"
#include "proto/geometry/selection.h"
#include "proto/geometry/tile_box.h"
#include "proto/geometry/tile_tree.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

// Returns messages that name all tiles. `add` adds one tile to a message.
template <typename Tiles, typename Add>
std::vector<v1::SessionRequest> MessagesOf(const Tiles& tiles, Add add) {
  std::vector<v1::SessionRequest> messages;
  std::size_t count = 0;
  for (const auto& tile : tiles) {
    if (count++ % wire::kMaxKeysPerMessage == 0) messages.emplace_back();
    add(messages.back(), tile);
  }
  return messages;
}

// A limit of the counted credit, so that it can't overflow.
constexpr std::int64_t kMaxCredit = std::int64_t{1} << 48;

std::int64_t Granted(std::int64_t credit, std::uint64_t more) {
  const auto limit = static_cast<std::uint64_t>(kMaxCredit);
  return std::min(credit + static_cast<std::int64_t>(std::min(more, limit)), kMaxCredit);
}

}  // namespace

KnownTile* KnownTiles::Find(const wire::TileKey& key) {
  const auto found = tiles_.find(key);
  return found == tiles_.end() ? nullptr : &found->second;
}

const lod::TileFacts* KnownTiles::FactsOf(const wire::TileKey& key) const {
  const auto found = tiles_.find(key);
  return found == tiles_.end() ? nullptr : &found->second.tile.facts;
}

void KnownTiles::Add(const FiledTile& tile, bool on_disk) {
  KnownTile& known = tiles_[tile.key];
  const bool same = known.tile.tag == tile.tag;
  known = {.tile = tile, .on_disk = on_disk || (same && known.on_disk), .reading = false};
}

std::vector<wire::TileKey> KnownTiles::OnDiskAlone(std::size_t max,
                                                   const TileMemory& memory) const {
  std::vector<wire::TileKey> keys;
  for (const auto& [key, known] : tiles_) {
    if (keys.size() == max) break;
    if (known.on_disk && !known.reading && !memory.Contains(key)) keys.push_back(key);
  }
  return keys;
}

std::vector<v1::SessionRequest> KnownTiles::HaveMessages() const {
  return MessagesOf(tiles_, [](v1::SessionRequest& message, const auto& known) {
    AddHave(known.second.tile, *message.mutable_have());
  });
}

void AddHave(const FiledTile& tile, v1::HaveTiles& have) {
  v1::HaveTile& message = *have.add_tiles();
  *message.mutable_key() = ToMessage(tile.key);
  message.set_tag(tile.tag);
  message.set_geometric_error(tile.facts.geometric_error);
  message.set_min_height(tile.facts.min_height);
  message.set_max_height(tile.facts.max_height);
}

std::vector<v1::SessionRequest> DropMessages(const std::vector<wire::TileKey>& keys) {
  return MessagesOf(keys, [](v1::SessionRequest& message, const wire::TileKey& key) {
    *message.mutable_drop()->add_keys() = ToMessage(key);
  });
}

std::vector<v1::SessionRequest> WantMessages(const std::vector<wire::TileKey>& keys) {
  return MessagesOf(keys, [](v1::SessionRequest& message, const wire::TileKey& key) {
    *message.mutable_want()->add_keys() = ToMessage(key);
  });
}

void SessionRules::Square::Add(const Square& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  west = std::min(west, other.west);
  north = std::min(north, other.north);
  east = std::max(east, other.east);
  south = std::max(south, other.south);
}

void SessionRules::Begin(const lod::WorldGrid& grid) {
  *this = {};
  grid_ = grid;
}

void SessionRules::Sent(const v1::SessionRequest& request) {
  credit_tiles_ = Granted(credit_tiles_, request.credit().tiles());
  credit_bytes_ = Granted(credit_bytes_, request.credit().bytes());
  for (const v1::TileKey& key : request.want().keys()) wanted_.insert(ToWire(key));
  if (request.has_view()) SentView(request.view());
}

// The view reaches from the camera's position to its position at the end of the lookahead, with a
// margin of the range and one level-0 tile, because whole tiles are sent.
void SessionRules::SentView(const v1::View& view) {
  last_view_ = view.id();
  if (lod::ShapeOf(grid_) == wire::Shape::kSphere) return;
  const double side = lod::TileSizeM(grid_, 0);
  const double reach = std::min(view.range_m(), lod::kMaxRangeTiles * side) + side;
  const v1::Vector& at = view.position_m();
  const double east = view.velocity_m_s().east() * view.lookahead_s();
  const double south = view.velocity_m_s().south() * view.lookahead_s();
  last_reached_ = {.west = at.east() + std::min(east, 0.0) - reach,
                   .north = at.south() + std::min(south, 0.0) - reach,
                   .east = at.east() + std::max(east, 0.0) + reach,
                   .south = at.south() + std::max(south, 0.0) + reach};
  reached_.Add(last_reached_);
}

absl::Status SessionRules::Received(const v1::SessionResponse& response) {
  switch (response.response_case()) {
    case v1::SessionResponse::kTile:
      return ReceivedTile(response.tile());
    case v1::SessionResponse::kUnchanged:
      return CheckAskedFor(response.unchanged().key());
    case v1::SessionResponse::kFailed:
      return CheckAskedFor(response.failed().key());
    case v1::SessionResponse::kSettled:
      return ReceivedSettled(response.settled());
    case v1::SessionResponse::kOpened:
      return absl::InternalError("the server sent 'opened' twice");
    case v1::SessionResponse::RESPONSE_NOT_SET:
      break;
  }
  return absl::InternalError("the server sent a message that this version does not know");
}

absl::Status SessionRules::ReceivedTile(const v1::Tile& tile) {
  THALWEG_RETURN_IF_ERROR(CheckAskedFor(tile.key()));
  if (credit_tiles_ <= 0 || credit_bytes_ <= 0) {
    return absl::InternalError(absl::StrCat("the server sent tile ",
                                            Describe(FromMessage(tile.key())), " without credit"));
  }
  --credit_tiles_;
  // The last tile may exceed the credit for bytes, which is then negative.
  credit_bytes_ -= static_cast<std::int64_t>(tile.ByteSizeLong());
  return absl::OkStatus();
}

bool SessionRules::ReachesPlanet() const {
  return lod::ShapeOf(grid_) == wire::Shape::kSphere && last_view_ > 0;
}

absl::Status SessionRules::CheckAskedFor(const v1::TileKey& message) {
  THALWEG_RETURN_IF_ERROR(CheckKey(message, lod::ShapeOf(grid_), grid_.levels));
  const wire::TileKey key = ToWire(message);
  if (wanted_.erase(key) > 0 || ReachesPlanet()) return absl::OkStatus();
  const lod::Box box = lod::BoxOf(grid_, lod::AncestorOf(key, 0), 0, 0);
  for (const Square& square : {reached_, reached_before_}) {
    if (square.empty()) continue;
    if (box.min.x <= square.east && box.max.x >= square.west && box.min.y <= square.south &&
        box.max.y >= square.north) {
      return absl::OkStatus();
    }
  }
  return absl::InternalError(absl::StrCat("the server sent tile ", Describe(FromMessage(message)),
                                          ", which was not asked for and is outside every view"));
}

absl::Status SessionRules::ReceivedSettled(const v1::ViewSettled& settled) {
  if (settled.view_id() < 1 || settled.view_id() > last_view_) {
    return absl::InternalError(
        absl::StrCat("the server settled view ", settled.view_id(),
                     ", which the client did not send (views so far: ", last_view_, ")"));
  }
  if (settled.failed() > settled.tiles()) {
    return absl::InternalError(absl::StrCat("invalid settled view: expected max ", settled.tiles(),
                                            " failed tiles, got ", settled.failed()));
  }
  if (settled.view_id() == last_view_) {
    reached_before_ = std::exchange(reached_, last_reached_);
  }
  return absl::OkStatus();
}

}  // namespace thalweg
