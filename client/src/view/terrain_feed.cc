#include "client/src/view/terrain_feed.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "client/src/contract/messages.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

constexpr std::chrono::milliseconds kFirstRetry{1'000};
constexpr std::chrono::milliseconds kLongestRetry{60'000};
// Half of the tiles that a server records: those of the flight must fit too.
constexpr std::size_t kMaxFromDisk = wire::kMaxHadTiles / 2;

std::size_t TileBytes(const TerrainViewOptions& options) {
  return options.layers.size() * kTileVertices * kTileVertices * sizeof(std::int32_t);
}

v1::OpenSession OpenMessage(const TerrainViewOptions& options) {
  v1::OpenSession open;
  open.set_world(options.world);
  for (const Layer layer : options.layers) open.add_layers(static_cast<v1::Layer>(layer));
  open.set_precision(static_cast<v1::Precision>(options.precision));
  return open;
}

// Fails unless two worlds with the same id have the same grid.
absl::Status CheckSame(const lod::WorldGrid& before, const lod::WorldGrid& now) {
  if (before == now) return absl::OkStatus();
  const std::string radius =
      before.radius_m == now.radius_m
          ? ""
          : absl::StrCat(", a radius of ", now.radius_m, " m, not ", before.radius_m, " m");
  return absl::InternalError(absl::StrCat(
      "invalid world: expected ", before.levels, " levels and cells of ", before.cell_size_m,
      " m as before, got ", now.levels, " and ", now.cell_size_m, " m", radius));
}

}  // namespace

TerrainFeed::TerrainFeed(const TerrainViewOptions& options, const WorldInfo& world, FeedParts parts,
                         ViewFront& front)
    : options_(options),
      form_{options.layers, options.precision},
      silence_(parts.silence),
      front_(front),
      memory_(options.memory_bytes),
      planner_(TileBytes(options), options.memory_bytes),
      credit_(options.credit_tiles, options.credit_bytes),
      retry_pause_(kFirstRetry),
      last_heard_(Clock::now()) {
  if (parts.folder != nullptr) {
    disk_ = std::make_unique<DiskThread>(
        std::move(parts.folder),
        [this](const FiledTile& tile, absl::StatusOr<v1::Tile> message) {
          OnRead(tile, std::move(message));
        },
        [this](const FiledTile& tile, const absl::Status& status) { OnWritten(tile, status); });
  }
  AdoptWorld(
      world.id,
      {.cell_size_m = world.cell_size_m, .levels = world.levels, .radius_m = world.radius_m});
  session_ = std::make_unique<ResumedSession>(std::move(parts.connect), OpenMessage(options),
                                              parts.backoff, *this);
  session_->Start();
  planning_ = std::thread([this] { PlanLoop(); });
}

TerrainFeed::~TerrainFeed() {
  replan_.End();
  // The planning thread uses the session and the disk; the session uses the disk; the disk uses the
  // session's queue. Each is stopped before the objects that it uses are destroyed.
  planning_.join();
  session_->Stop();
  disk_.reset();
}

TerrainStatistics TerrainFeed::Statistics() const {
  const std::lock_guard lock(mutex_);
  TerrainStatistics statistics = statistics_;
  statistics.connected = opened_;
  statistics.tiles_in_memory = memory_.size();
  statistics.tiles_needed = needed_.needed();
  statistics.tiles_in_time = needed_.in_time();
  statistics.memory_bytes = memory_.bytes();
  if (disk_ != nullptr) statistics.disk_bytes = disk_->folder().bytes();
  return statistics;
}

absl::Status TerrainFeed::status() const {
  const std::lock_guard lock(mutex_);
  return ended_because_;
}

// Another world of the same name shares no tiles with the previous one.
void TerrainFeed::AdoptWorld(const std::string& id, const lod::WorldGrid& grid) {
  if (id == world_id_) return;
  world_id_ = id;
  grid_ = grid;
  memory_.Clear();
  known_.Clear();
  needed_.Clear();
  missing_.clear();
  if (disk_ == nullptr) return;
  for (const FiledTile& tile : disk_->folder().List(id)) {
    if (known_.size() == kMaxFromDisk) break;
    if (!wire::CheckTileKey(tile.key, lod::ShapeOf(grid), grid.levels).ok()) continue;
    if (tile.tag == ExpectedTag(absl::HexStringToBytes(id), tile.key, form_)) {
      known_.Add(tile, true);
    }
  }
}

absl::Status TerrainFeed::OnOpened(const v1::SessionOpened& opened) {
  THALWEG_RETURN_IF_ERROR(CheckOpened(opened));
  const lod::WorldGrid grid{.cell_size_m = opened.cell_size_m(),
                            .levels = static_cast<int>(opened.levels()),
                            .radius_m = opened.radius_m()};
  const std::lock_guard lock(mutex_);
  const std::string world_id = absl::BytesToHexString(opened.world_id());
  if (world_id == world_id_) THALWEG_RETURN_IF_ERROR(CheckSame(grid_, grid));
  AdoptWorld(world_id, grid);
  rules_.Begin(grid);
  std::vector<v1::SessionRequest> first = known_.HaveMessages();
  statistics_.tiles_had += known_.size();
  if (ever_opened_) ++statistics_.reconnects;
  opened_ = ever_opened_ = true;
  settled_ = false;
  sent_camera_.reset();
  failed_.Clear();
  last_heard_ = Clock::now();
  for (const v1::SessionRequest& request : first) rules_.Sent(request);
  session_->Begin(std::move(first));
  // Tiles of the last session may still fill the memory.
  credit_.Restart();
  GrantIfRoom();
  replan_.Wake();
  return absl::OkStatus();
}

void TerrainFeed::Send(v1::SessionRequest request) {
  rules_.Sent(request);
  session_->Send(std::move(request));
}

void TerrainFeed::GrantUsed() {
  if (auto grant = credit_.Grant()) Send(*std::move(grant));
}

void TerrainFeed::GrantIfRoom() {
  if (memory_.bytes() <= options_.memory_bytes) GrantUsed();
}

void TerrainFeed::UseCredit(const v1::Tile& message) {
  credit_.Use(message.ByteSizeLong());
  GrantIfRoom();
}

void TerrainFeed::OnBroken(const absl::Status& status, bool final) {
  const std::lock_guard lock(mutex_);
  opened_ = false;
  last_heard_ = Clock::now();
  if (final) {
    ended_because_ = absl::Status(
        status.code(), absl::StrCat("session in world '", options_.world, "': ", status.message()));
  }
  replan_.Wake();
}

absl::Status TerrainFeed::OnResponse(const v1::SessionResponse& response) {
  {
    const std::lock_guard lock(mutex_);
    last_heard_ = Clock::now();
    THALWEG_RETURN_IF_ERROR(rules_.Received(response));
    if (response.has_unchanged()) OnUnchanged(ToWire(response.unchanged().key()));
    if (response.has_failed()) OnFailed(response.failed());
    if (response.has_settled()) OnSettled(response.settled());
    if (response.has_tile() && CountTile(response.tile())) return absl::OkStatus();
  }
  if (response.has_tile()) OnTile(response.tile());
  return absl::OkStatus();
}

bool TerrainFeed::CountTile(const v1::Tile& message) {
  ++statistics_.tiles_received;
  statistics_.wire_bytes += message.ByteSizeLong();
  const wire::TileKey key = ToWire(message.key());
  const KnownTile* known = known_.Find(key);
  const bool repeated =
      known != nullptr && known->tile.tag == message.tag() && memory_.Contains(key);
  if (repeated) UseCredit(message);
  return repeated;
}

void TerrainFeed::OnTile(const v1::Tile& message) {
  // Decoding takes longest, and needs no lock.
  auto tile = FromMessage(message, form_);
  const FiledTile filed = FiledAs(message);
  const std::lock_guard lock(mutex_);
  if (!tile.ok() || tile->world_id != world_id_) {
    ++statistics_.tiles_corrupt;
    Forget({filed.key});
    PutOff(filed.key, retry_pause_);
  } else {
    Keep(std::make_shared<const Tile>(*std::move(tile)), filed, TileSource::kServer);
    if (disk_ != nullptr) disk_->Write(world_id_, filed, message);
  }
  // Only now: until the tile is kept, its memory looks free.
  UseCredit(message);
}

void TerrainFeed::Keep(std::shared_ptr<const Tile> tile, const FiledTile& filed,
                       TileSource source) {
  ArrivedTile arrived{.key = tile->key, .source = source, .wire_bytes = tile->wire_bytes};
  const auto wanted = missing_.find(filed.key);
  if (wanted != missing_.end()) {
    arrived.waited =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - wanted->second);
    missing_.erase(wanted);
  }
  known_.Add(filed, source == TileSource::kDisk);
  failed_.Remove(filed.key);
  memory_.Put(std::move(tile));
  front_.Announce(arrived);
  replan_.Wake();
}

void TerrainFeed::OnUnchanged(const wire::TileKey& key) {
  ++statistics_.tiles_unchanged;
  if (memory_.Contains(key)) return;
  KnownTile* known = known_.Find(key);
  if (known != nullptr && known->on_disk) {
    ReadFromDisk(*known);
  } else {
    Forget({key});
  }
}

void TerrainFeed::OnFailed(const v1::TileFailed& failed) {
  ++statistics_.tiles_failed;
  PutOff(ToWire(failed.key()),
         std::max(std::chrono::milliseconds(failed.retry_after_ms()), retry_pause_));
}

void TerrainFeed::PutOff(const wire::TileKey& key, std::chrono::milliseconds delay) {
  failed_.PutOff(key, Clock::now() + std::min(delay, kLongestDelay));
  replan_.Wake();
}

void TerrainFeed::OnSettled(const v1::ViewSettled& settled) {
  if (settled.view_id() != view_id_) return;
  settled_ = true;
  retry_pause_ = settled.failed() == 0 ? kFirstRetry : std::min(2 * retry_pause_, kLongestRetry);
  replan_.Wake();
}

void TerrainFeed::Forget(const std::vector<wire::TileKey>& keys) {
  for (const wire::TileKey& key : keys) {
    known_.Remove(key);
    asked_for_.erase(key);
  }
  for (v1::SessionRequest& message : DropMessages(keys)) Send(std::move(message));
}

// The part of TerrainFeed that reads from disk and writes to it.
void TerrainFeed::ReadFromDisk(KnownTile& known) {
  if (known.reading) return;
  known.reading = true;
  disk_->Read(world_id_, known.tile);
}

void TerrainFeed::OnRead(const FiledTile& filed, absl::StatusOr<v1::Tile> message) {
  absl::StatusOr<Tile> tile =
      message.ok() ? FromMessage(*message, form_) : absl::StatusOr<Tile>(message.status());
  const std::lock_guard lock(mutex_);
  KnownTile* known = known_.Find(filed.key);
  // The tile has come from the server in the meantime, or the world has changed.
  if (known == nullptr || known->tile.tag != filed.tag || !known->reading) return;
  known->reading = false;
  if (tile.ok() && tile->world_id == world_id_) {
    ++statistics_.disk_reads;
    Keep(std::make_shared<const Tile>(*std::move(tile)), filed, TileSource::kDisk);
    return;
  }
  if (tile.ok() || absl::IsDataLoss(tile.status())) {
    ++statistics_.disk_corrupt;
    disk_->Discard(world_id_, filed);
  }
  known->on_disk = false;
  if (!memory_.Contains(filed.key)) Forget({filed.key});
}

void TerrainFeed::OnWritten(const FiledTile& filed, const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  if (!status.ok()) return;
  ++statistics_.disk_writes;
  KnownTile* known = known_.Find(filed.key);
  if (known != nullptr) {
    if (known->tile.tag == filed.tag) known->on_disk = true;
  } else if (ExpectedTag(absl::HexStringToBytes(world_id_), filed.key, form_) == filed.tag) {
    // The tile left memory before it was written.
    known_.Add(filed, true);
    v1::SessionRequest have;
    AddHave(filed, *have.mutable_have());
    Send(std::move(have));
  }
}

}  // namespace thalweg
