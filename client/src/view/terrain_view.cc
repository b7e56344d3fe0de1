#include "thalweg/terrain_view.h"

#include <algorithm>
#include <utility>

#include "client/src/connection/transport.h"
#include "client/src/ground/ground.h"
#include "client/src/ground/rays.h"
#include "client/src/view/camera_planner.h"
#include "client/src/view/terrain_feed.h"
#include "client/src/view/view_front.h"
#include "proto/geometry/surface.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "thalweg/client.h"

namespace thalweg {
namespace {

constexpr std::size_t kMinTilesInMemory = 64;
constexpr double kLongestLookaheadS = 60;

// The height first, then the other requested layers.
std::vector<Layer> WithHeightFirst(const std::vector<Layer>& layers) {
  std::vector<Layer> all = {Layer::kHeight};
  for (const Layer layer : layers) {
    if (layer != Layer::kHeight) all.push_back(layer);
  }
  return all;
}

absl::Status CheckOptions(const TerrainViewOptions& options, const WorldInfo& world) {
  for (std::size_t n = 0; n < options.layers.size(); ++n) {
    const Layer layer = options.layers[n];
    const std::string name(LayerName(layer));
    if (!world.Has(layer)) {
      return wire::Invalid("layers", "only layers of the world", name);
    }
    if (std::count(options.layers.begin(), options.layers.end(), layer) > 1) {
      return absl::InvalidArgumentError(absl::StrCat("layers has ", name, " twice"));
    }
  }
  const std::size_t min = kMinTilesInMemory * options.layers.size() * kTileVertices *
                          kTileVertices * sizeof(std::int32_t);
  if (options.memory_bytes < min) {
    return wire::Invalid("memory_bytes", absl::StrCat("min ", min, " for these layers"),
                         options.memory_bytes);
  }
  if (!(options.lookahead_s >= 0 && options.lookahead_s <= kLongestLookaheadS)) {
    return wire::Invalid("lookahead_s", "0 to 60", options.lookahead_s);
  }
  if (options.credit_tiles == 0 || options.credit_bytes == 0) {
    return wire::Invalid("credit", "min 1 tile and 1 byte", "0");
  }
  return absl::OkStatus();
}

wire::Shape ShapeOf(const WorldInfo& world) {
  return world.radius_m > 0 ? wire::Shape::kSphere : wire::Shape::kPlane;
}

}  // namespace

class TerrainView::Impl {
 public:
  Impl(const TerrainViewOptions& options, WorldInfo world, FeedParts parts)
      : world_(std::move(world)), feed_(options, world_, std::move(parts), front_) {}

  // Returns the loaded tile of a key, or null.
  auto Tiles() const {
    return [this](const wire::TileKey& key) { return feed_.memory().Get(key); };
  }

  const WorldInfo world_;
  ViewFront front_;
  TerrainFeed feed_;
};

absl::StatusOr<std::unique_ptr<TerrainView>> TerrainView::Open(Client& client,
                                                               TerrainViewOptions options) {
  THALWEG_ASSIGN_OR_RETURN(WorldInfo world, client.GetWorld(options.world));
  options.layers = WithHeightFirst(options.layers);
  if (absl::Status status = CheckOptions(options, world); !status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat("open a view of '", options.world, "': ", status.message()));
  }
  const std::shared_ptr<Client::Transport> transport = client.transport_;
  FeedParts parts{.connect = [transport] { return transport->OpenSession(); },
                  .backoff = transport->NewBackoff(),
                  .silence = transport->options().stream_timeout,
                  .folder = nullptr};
  if (!options.cache_folder.empty()) {
    THALWEG_ASSIGN_OR_RETURN(parts.folder,
                             TileFolder::Open(options.cache_folder, options.cache_bytes));
  }
  auto impl = std::make_unique<Impl>(options, std::move(world), std::move(parts));
  return std::unique_ptr<TerrainView>(new TerrainView(std::move(impl)));
}

TerrainView::TerrainView(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TerrainView::~TerrainView() = default;

const WorldInfo& TerrainView::world() const { return impl_->world_; }

absl::Status TerrainView::SetCamera(const Camera& camera) {
  if (absl::Status status = CheckCamera(camera, ShapeOf(impl_->world_)); !status.ok())
    return status;
  if (impl_->front_.SetCamera(camera)) impl_->feed_.CameraChanged();
  return absl::OkStatus();
}

FrameChanges TerrainView::Update() { return impl_->front_.Update(); }

FrameChanges TerrainView::Update(const TerrainCallbacks& callbacks) {
  FrameChanges changes = Update();
  const auto call = [](const auto& callback, const auto& changed) {
    if (!callback) return;
    for (const auto& change : changed) callback(change);
  };
  call(callbacks.removed, changes.removed);
  call(callbacks.coarsened, changes.coarsened);
  call(callbacks.refined, changes.refined);
  call(callbacks.added, changes.added);
  call(callbacks.restitched, changes.restitched);
  return changes;
}

bool TerrainView::Wait(std::chrono::milliseconds timeout) { return impl_->front_.Wait(timeout); }

const std::vector<DrawnTile>& TerrainView::drawn() const { return impl_->front_.drawn(); }

std::optional<double> TerrainView::HeightAt(double east_m, double south_m) const {
  const lod::WorldGrid grid = impl_->front_.grid();
  if (lod::ShapeOf(grid) != wire::Shape::kPlane) return std::nullopt;
  return GroundHeightAt(grid, impl_->Tiles(),
                        lod::SurfaceOf(grid)->PlaceUnder({east_m, south_m, 0}));
}

std::optional<double> TerrainView::HeightAt(const LatLong& place) const {
  const lod::WorldGrid grid = impl_->front_.grid();
  if (lod::ShapeOf(grid) != wire::Shape::kSphere) return std::nullopt;
  const SpaceVector point = SpacePointOf(place, grid.radius_m);
  return GroundHeightAt(grid, impl_->Tiles(), lod::SurfaceOf(grid)->PlaceUnder(ToVector(point)));
}

std::optional<RayHit> TerrainView::CastRay(const Vector3& origin_m, const Vector3& direction,
                                           double max_distance_m) const {
  const lod::WorldGrid grid = impl_->front_.grid();
  if (lod::ShapeOf(grid) != wire::Shape::kPlane) return std::nullopt;
  return CastRayOnGround(grid, impl_->Tiles(), ToVector(origin_m), ToVector(direction),
                         max_distance_m);
}

std::optional<SpaceRayHit> TerrainView::CastRayInSpace(const SpaceVector& origin_m,
                                                       const SpaceVector& direction,
                                                       double max_distance_m) const {
  const lod::WorldGrid grid = impl_->front_.grid();
  if (lod::ShapeOf(grid) != wire::Shape::kSphere) return std::nullopt;
  return thalweg::CastRayInSpace(*lod::SurfaceOf(grid), impl_->Tiles(), ToVector(origin_m),
                                 ToVector(direction), max_distance_m);
}

TerrainStatistics TerrainView::Statistics() const { return impl_->feed_.Statistics(); }

absl::Status TerrainView::status() const { return impl_->feed_.status(); }

}  // namespace thalweg
