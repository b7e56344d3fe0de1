#include "tests/client/fake_session.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/selection.h"
#include "proto/wire/status_details.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_tag.h"
#include "tests/client/take_fault.h"

namespace thalweg::client_test {
namespace {

using wire::TileKey;

std::uint32_t GroundHash(std::uint64_t value) {
  value ^= value >> 31;
  value *= 0x7fb5d329728ea185U;
  value ^= value >> 27;
  value *= 0x81dadef4bc2dd44dU;
  return static_cast<std::uint32_t>(value >> 32);
}

// Goes from 1 to 0 and back over a wavelength.
double Ridge(double metres, double wavelength_m) {
  const double phase = metres / wavelength_m;
  return std::abs(2 * (phase - std::floor(phase)) - 1);
}

int LatticeShift(const lod::WorldGrid& grid, int level) {
  const double units = lod::CellSizeM(grid, level) * 65'536 / 64;
  return std::max(0, static_cast<int>(std::floor(std::log2(units))));
}

TileKey KeyOf(const v1::TileKey& key) {
  return {static_cast<int>(key.face()), static_cast<int>(key.level()), key.x(), key.y()};
}

void SetKey(const TileKey& key, v1::TileKey& message) {
  message.set_face(static_cast<std::uint32_t>(key.face));
  message.set_level(static_cast<std::uint32_t>(key.level));
  message.set_x(key.x);
  message.set_y(key.y);
}

sphere::Vector VectorOf(const v1::Vector& v) { return {v.east(), v.south(), v.up()}; }

sphere::Vector VectorOf(const v1::SpaceVector& v) { return {v.x(), v.y(), v.z()}; }

lod::View ViewOf(const v1::View& view) {
  const bool in_space = view.has_space_position_m();
  return {
      .position = in_space ? VectorOf(view.space_position_m()) : VectorOf(view.position_m()),
      .velocity = in_space ? VectorOf(view.space_velocity_m_s()) : VectorOf(view.velocity_m_s()),
      .direction = in_space ? VectorOf(view.space_direction()) : VectorOf(view.direction()),
      .vertical_fov_deg = view.vertical_fov_deg(),
      .aspect = view.aspect(),
      .viewport_height_px = static_cast<int>(view.viewport_height_px()),
      .tolerated_error_px = view.tolerated_error_px(),
      .range_m = view.range_m()};
}

// The vertex of the plane whose height a vertex has. On a planet, faces stand in a row on this
// plane, and the lowest face of a shared vertex counts.
sphere::Vertex GroundVertex(const lod::WorldGrid& grid, int level, const sphere::Vertex& vertex) {
  if (lod::ShapeOf(grid) == wire::Shape::kPlane) return vertex;
  const std::int64_t cells = std::int64_t{wire::kTileCells} << level;
  const sphere::Vertex owner = sphere::OwnerOf(vertex, cells);
  return {owner.face, owner.x + 2 * owner.face * cells, owner.y};
}

std::uint64_t TagOf(const std::string& world_id, const TileKey& key) {
  return wire::TileTag(world_id, key, 1U << v1::LAYER_HEIGHT, v1::PRECISION_LATTICE);
}

}  // namespace

std::int32_t GroundAt(const lod::WorldGrid& grid, int level, std::int64_t x, std::int64_t y) {
  const double cell = lod::CellSizeM(grid, level);
  const double east = static_cast<double>(x) * cell;
  const double south = static_cast<double>(y) * cell;
  const double ridges = 600 * Ridge(east + 0.3 * south, 9'000) + 300 * Ridge(south, 4'000);
  const std::uint64_t place = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15U +
                              static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4fU +
                              static_cast<std::uint64_t>(level);
  const double rough = 0.25 * cell * (GroundHash(place) / 4294967296.0);
  return wire::RoundToLattice(static_cast<std::int32_t>((ridges + rough) * 65'536),
                              LatticeShift(grid, level));
}

v1::Tile MakeGroundTile(const lod::WorldGrid& grid, const std::string& world_id,
                        const TileKey& key) {
  std::vector<std::int32_t> values;
  values.reserve(wire::kTileVertices * wire::kTileVertices);
  for (int y = 0; y < wire::kTileVertices; ++y) {
    for (int x = 0; x < wire::kTileVertices; ++x) {
      const sphere::Vertex vertex = GroundVertex(
          grid, key.level, {key.face, key.x * wire::kTileCells + x, key.y * wire::kTileCells + y});
      values.push_back(GroundAt(grid, key.level, vertex.x, vertex.y));
    }
  }
  const int shift = LatticeShift(grid, key.level);
  wire::EncodedLayer encoded =
      wire::EncodeLayer(values, wire::kTileVertices, wire::kTileVertices, shift);
  v1::Tile tile;
  SetKey(key, *tile.mutable_key());
  tile.set_world_id(world_id);
  tile.set_generator_version(3);
  tile.set_tag(TagOf(world_id, key));
  if (key.level > 0) {
    tile.set_geometric_error(
        static_cast<std::uint32_t>(0.5 * lod::CellSizeM(grid, key.level) * 65'536));
  }
  v1::TileLayer& layer = *tile.add_layers();
  layer.set_layer(v1::LAYER_HEIGHT);
  layer.set_min(encoded.min);
  layer.set_max(encoded.max);
  layer.set_lattice_shift(static_cast<std::uint32_t>(shift));
  layer.set_data(std::move(encoded.data));
  return tile;
}

// One session. The calling thread sends, another one reads.
class FakeSessions::Conversation {
 public:
  Conversation(FakeSessions& sessions, Stream* stream, std::string world_id)
      : sessions_(sessions), stream_(stream), world_id_(std::move(world_id)) {}

  grpc::Status Answer() {
    breaks_ = TakeFault(sessions_.faults.broken);
    left_ = sessions_.faults.tiles_before_break;
    std::unique_lock lock(mutex_);
    while (!ended_) {
      if (!changed_) {
        changes_.wait(lock, [this] { return changed_ || ended_; });
        continue;
      }
      changed_ = false;
      while (!ended_ && SendNext(lock)) {
      }
      if (breaks_ && left_ <= 0) return {grpc::StatusCode::UNAVAILABLE, "the line went dead"};
    }
    return grpc::Status::OK;
  }

  // Takes a request from the reading thread.
  void Take(const v1::SessionRequest& request) {
    const std::lock_guard lock(mutex_);
    const std::lock_guard log_lock(sessions_.mutex_);
    SessionLog& log = sessions_.log_;
    if (request.has_view()) {
      ++log.views;
      view_ = request.view();
      absl::erase_if(failed_, [now = std::chrono::steady_clock::now()](const auto& entry) {
        return entry.second <= now;
      });
      settled_ = false;
      renew_ = true;
    }
    for (const v1::HaveTile& have : request.have().tiles()) {
      ++log.had;
      const TileKey key = KeyOf(have.key());
      if (have.tag() != TagOf(world_id_, key)) continue;
      had_.insert(key);
      facts_[key] = {have.geometric_error(), have.min_height(), have.max_height()};
      renew_ = true;
    }
    for (const v1::TileKey& key : request.drop().keys()) {
      ++log.dropped;
      had_.erase(KeyOf(key));
      done_.erase(KeyOf(key));
      facts_.erase(KeyOf(key));
      renew_ = true;
    }
    for (const v1::TileKey& key : request.want().keys()) {
      ++log.wanted;
      wants_.push_back(KeyOf(key));
    }
    credit_tiles_ += request.credit().tiles();
    credit_bytes_ += static_cast<std::int64_t>(request.credit().bytes());
    log.bytes_granted += request.credit().bytes();
    changed_ = true;
    changes_.notify_all();
  }

  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changes_.notify_all();
  }

 private:
  // The next tile that is needed and has not been sent.
  std::optional<TileKey> Next() {
    while (!wants_.empty()) {
      const TileKey key = wants_.front();
      if (!done_.contains(key)) return key;
      wants_.erase(wants_.begin());
    }
    if (!view_) return std::nullopt;
    for (int pass = 0; pass < 2; ++pass) {
      if (renew_) Choose();
      for (; at_ < order_.size(); ++at_) {
        if (!done_.contains(order_[at_]) && !failed_.contains(order_[at_])) return order_[at_];
      }
      // A message from the client may allow more tiles.
      if (!fresh_) return std::nullopt;
      renew_ = true;
    }
    return std::nullopt;
  }

  void Choose() {
    const auto facts_of = [this](const TileKey& key) -> const lod::TileFacts* {
      const auto found = facts_.find(key);
      return found == facts_.end() ? nullptr : &found->second;
    };
    order_.clear();
    const lod::View view = ViewOf(*view_);
    const lod::View ahead = lod::Ahead(view, view_->lookahead_s());
    needed_ = 0;
    for (const lod::View& from : {view, ahead}) {
      const lod::Selection selection = lod::Selection::Of(from, sessions_.grid_, facts_of);
      for (const lod::Wanted& tile : selection.tiles()) order_.push_back(tile.key);
      if (needed_ == 0) needed_ = order_.size();
    }
    at_ = 0;
    fresh_ = renew_ = false;
  }

  // Sends one response. False if there is nothing to send, or no credit for it.
  bool SendNext(std::unique_lock<std::mutex>& lock) {
    const std::optional<TileKey> key = Next();
    v1::SessionResponse response;
    if (!key) {
      if (settled_ || !view_) return false;
      settled_ = true;
      response.mutable_settled()->set_view_id(view_->id());
      response.mutable_settled()->set_tiles(static_cast<std::uint32_t>(needed_));
      response.mutable_settled()->set_failed(static_cast<std::uint32_t>(failed_.size()));
    } else if (had_.contains(*key)) {
      SetKey(*key, *response.mutable_unchanged()->mutable_key());
      done_.insert(*key);
      const std::lock_guard log_lock(sessions_.mutex_);
      ++sessions_.log_.unchanged;
    } else if (credit_tiles_ <= 0 || credit_bytes_ <= 0) {
      return false;
    } else if (TakeFault(sessions_.faults.failed_tiles)) {
      SetKey(*key, *response.mutable_failed()->mutable_key());
      response.mutable_failed()->set_code(8);
      response.mutable_failed()->set_message("too much to do");
      const int delay_ms = sessions_.faults.failed_for_ms;
      response.mutable_failed()->set_retry_after_ms(static_cast<std::uint32_t>(delay_ms));
      failed_[*key] = std::chrono::steady_clock::now() + std::chrono::milliseconds(delay_ms);
    } else {
      if (breaks_ && left_-- <= 0) return false;
      SendTile(*key, response);
    }
    lock.unlock();
    if (sessions_.lie) sessions_.lie(response);
    const bool written = stream_->Write(response);
    lock.lock();
    if (!written) ended_ = true;
    return written;
  }

  void SendTile(const TileKey& key, v1::SessionResponse& response) {
    v1::Tile& tile = *response.mutable_tile();
    tile = MakeGroundTile(sessions_.grid_, world_id_, key);
    facts_[key] = {tile.geometric_error(), tile.layers(0).min(), tile.layers(0).max()};
    if (TakeFault(sessions_.faults.corrupt_tiles)) tile.mutable_layers(0)->set_data("no layer");
    done_.insert(key);
    fresh_ = true;
    --credit_tiles_;
    credit_bytes_ -= static_cast<std::int64_t>(tile.ByteSizeLong());
    const std::lock_guard lock(sessions_.mutex_);
    sessions_.log_.bytes_sent += tile.ByteSizeLong();
    ++sessions_.log_.sent[key];
  }

  FakeSessions& sessions_;
  Stream* stream_;
  const std::string world_id_;
  bool breaks_ = false;
  int left_ = 0;

  std::mutex mutex_;
  std::condition_variable changes_;
  bool changed_ = false;
  bool ended_ = false;
  std::optional<v1::View> view_;
  bool settled_ = false;
  bool renew_ = false;
  bool fresh_ = false;
  std::vector<TileKey> order_;
  std::size_t at_ = 0;
  std::size_t needed_ = 0;
  std::vector<TileKey> wants_;
  absl::flat_hash_set<TileKey> had_;
  absl::flat_hash_set<TileKey> done_;
  // Failed tiles are not sent before their time, whatever the client asks for.
  absl::flat_hash_map<TileKey, std::chrono::steady_clock::time_point> failed_;
  absl::flat_hash_map<TileKey, lod::TileFacts> facts_;
  std::int64_t credit_tiles_ = 0;
  std::int64_t credit_bytes_ = 0;
};

SessionLog FakeSessions::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

void FakeSessions::BreakAll() {
  const std::lock_guard lock(mutex_);
  for (grpc::ServerContext* context : contexts_) context->TryCancel();
}

void FakeSessions::SetWorldId(const std::string& world_id) {
  const std::lock_guard lock(mutex_);
  world_id_ = world_id;
}

FakeSessions::Script::Script(FakeSessions& sessions, std::function<void(Stream*)> say)
    : sessions_(sessions) {
  const std::lock_guard lock(sessions_.mutex_);
  sessions_.script_ = std::move(say);
}

FakeSessions::Script::~Script() {
  std::unique_lock lock(sessions_.mutex_);
  sessions_.script_ = nullptr;
  for (grpc::ServerContext* context : sessions_.contexts_) context->TryCancel();
  sessions_.script_ended_.wait(lock, [this] { return sessions_.scripts_running_ == 0; });
}

grpc::Status FakeSessions::Run(grpc::ServerContext* context, Stream* stream) {
  v1::SessionRequest request;
  if (!stream->Read(&request) || !request.has_open()) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "a session begins with open"};
  }
  if (TakeFault(faults.refused)) {
    const std::lock_guard lock(mutex_);
    ++log_.refused;
    absl::Status full = absl::ResourceExhaustedError("too many sessions");
    wire::SetRetryDelay(full, std::chrono::milliseconds(faults.refused_for_ms));
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many sessions", wire::EncodeDetails(full)};
  }
  std::string world_id;
  std::function<void(Stream*)> script;
  {
    const std::lock_guard lock(mutex_);
    ++log_.sessions;
    contexts_.insert(context);
    world_id = world_id_;
    script = script_;
    if (script) ++scripts_running_;
  }
  v1::SessionResponse opened;
  opened.mutable_opened()->set_world_id(world_id);
  opened.mutable_opened()->set_cell_size_m(grid_.cell_size_m);
  opened.mutable_opened()->set_levels(static_cast<std::uint32_t>(grid_.levels));
  opened.mutable_opened()->set_radius_m(grid_.radius_m);
  if (lie) lie(opened);
  stream->Write(opened);
  if (script) {
    script(stream);
    const std::lock_guard lock(mutex_);
    contexts_.erase(context);
    --scripts_running_;
    script_ended_.notify_all();
    return grpc::Status::OK;
  }
  Conversation run(*this, stream, world_id);
  std::thread reading([&] {
    v1::SessionRequest next;
    while (stream->Read(&next)) run.Take(next);
    run.End();
  });
  grpc::Status status = grpc::Status::OK;
  if (TakeFault(faults.silent)) {
    reading.join();
  } else {
    status = run.Answer();
    if (!status.ok()) context->TryCancel();
    reading.join();
  }
  const std::lock_guard lock(mutex_);
  contexts_.erase(context);
  return status;
}

}  // namespace thalweg::client_test
