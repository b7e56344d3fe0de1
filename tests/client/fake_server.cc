#include "tests/client/fake_server.h"

#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <utility>

#include "proto/geometry/cube_sphere.h"
#include "proto/wire/status_details.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"
#include "proto/wire/tile_tag.h"
#include "tests/client/take_fault.h"

namespace thalweg::client_test {
namespace {

constexpr int kLevels = 12;

std::uint64_t Hash(std::uint64_t value) {
  value ^= value >> 31;
  value *= 0x7fb5d329728ea185U;
  value ^= value >> 27;
  value *= 0x81dadef4bc2dd44dU;
  return value ^ (value >> 33);
}

// A rule for these levels, with one thermal stage for each angle.
v1::LevelRule MakeRule(std::uint32_t from_level, std::uint32_t to_level,
                       const std::vector<double>& taluses_deg) {
  v1::LevelRule rule;
  rule.set_from_level(from_level);
  rule.set_to_level(to_level);
  rule.add_stages()->mutable_droplet()->set_steps(24);
  for (const double talus_deg : taluses_deg) {
    rule.add_stages()->mutable_thermal()->set_talus_deg(talus_deg);
  }
  return rule;
}

// `asked_for` is NAME or NAME@SEED.
v1::World MakeWorld(const std::string& asked_for) {
  const std::size_t at = asked_for.find('@');
  const std::string name = asked_for.substr(0, at);
  v1::World world;
  world.set_id(std::string(15, '\x01') + std::string(1, name.front()));
  world.mutable_spec()->set_name(name);
  world.mutable_spec()->set_description("The world of " + name);
  world.mutable_spec()->set_seed(at == std::string::npos ? 0xFFFF'FFFF'FFFF'FFFFU
                                                         : std::stoull(asked_for.substr(at + 1)));
  world.mutable_spec()->set_cell_size_m(512);
  world.mutable_spec()->set_levels(kLevels);
  *world.mutable_spec()->add_rules() = MakeRule(2, 3, {40, 36.5, 38});
  *world.mutable_spec()->add_rules() = MakeRule(5, 5, {});
  *world.mutable_spec()->add_rules() = MakeRule(0, 20, {30});
  if (name == "islands") {
    world.mutable_spec()->set_sea_level_m(0);
    v1::Showplace& showplace = *world.mutable_spec()->mutable_showplace();
    showplace.set_east_m(12'800);
    showplace.set_south_m(-6'400);
    showplace.set_side_m(15'360);
  }
  world.set_generator_version(3);
  // "alpine" has few layers, the planet has all. "islands" also has one that no client knows.
  int last = name == "islands" ? v1::Layer_MAX + 1 : v1::LAYER_UPLIFT;
  if (name == kPlanet) last = v1::Layer_MAX;
  for (int layer = 1; layer <= last; ++layer) world.add_layers(static_cast<v1::Layer>(layer));
  world.set_max_vertex(wire::kMaxVertex);
  if (name == kPlanet) {
    world.mutable_spec()->set_cell_size_m(kPlanetRadiusM * std::numbers::pi / 2 / wire::kTileCells);
    world.mutable_spec()->mutable_showplace()->set_side_m(400'000);
    world.mutable_spec()->mutable_showplace()->set_latitude_deg(80);
    world.mutable_spec()->mutable_showplace()->set_longitude_deg(20);
    world.mutable_spec()->mutable_sphere()->set_radius_m(kPlanetRadiusM);
  }
  return world;
}

grpc::Status CheckFaults(Faults& faults) {
  if (TakeFault(faults.unavailable_calls)) return {grpc::StatusCode::UNAVAILABLE, "stopping"};
  if (TakeFault(faults.exhausted_calls)) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many"};
  }
  if (!TakeFault(faults.limited_calls)) return grpc::Status::OK;
  absl::Status limited = absl::ResourceExhaustedError("too many");
  wire::SetRetryDelay(limited, std::chrono::milliseconds(1));
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many", wire::EncodeDetails(limited)};
}

// A request may name a world by its hexadecimal id, which ends with its name's first letter.
std::string NameOf(const std::string& world) {
  if (world.size() != 32) return world;
  if (world.ends_with("70")) return kPlanet;
  return world.ends_with("61") ? "alpine" : "islands";
}

grpc::Status CheckWorld(const std::string& world) {
  const std::string asked_for = NameOf(world);
  const std::string name = asked_for.substr(0, asked_for.find('@'));
  if (name == "alpine" || name == "islands" || name == kPlanet) return grpc::Status::OK;
  return {grpc::StatusCode::NOT_FOUND, "unknown world; there are alpine and islands"};
}

grpc::Status CheckKey(const std::string& world, const v1::TileKey& key) {
  const absl::Status status = wire::CheckTileKey(
      {static_cast<int>(key.face()), static_cast<int>(key.level()), key.x(), key.y()},
      NameOf(world) == kPlanet ? wire::Shape::kSphere : wire::Shape::kPlane, kLevels);
  if (status.ok()) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

template <typename Request>
std::uint64_t TagOf(const Request& request, const v1::Tile& tile) {
  const v1::TileKey& key = tile.key();
  std::uint32_t layers = 0;
  for (const int layer : request.layers()) layers |= 1U << layer;
  const wire::TileKey tagged{static_cast<int>(key.face()), static_cast<int>(key.level()), key.x(),
                             key.y()};
  return wire::TileTag(tile.world_id(), tagged, layers,
                       static_cast<std::uint32_t>(request.precision()));
}

template <typename Request>
v1::Tile MakeTile(const Request& request, const v1::TileKey& key, Faults& faults) {
  v1::Tile tile;
  *tile.mutable_key() = key;
  tile.set_world_id(MakeWorld(NameOf(request.world())).id());
  tile.set_generator_version(3);
  tile.set_tag(TagOf(request, tile));
  tile.set_geometric_error(key.level() == 0 ? 0 : 17);
  const bool altered = TakeFault(faults.altered_tiles);
  for (const int layer : request.layers()) {
    const int shift =
        request.precision() == v1::PRECISION_EXACT || layer != v1::LAYER_HEIGHT ? 0 : 8;
    std::vector<std::int32_t> values;
    for (int y = 0; y < wire::kTileVertices; ++y) {
      for (int x = 0; x < wire::kTileVertices; ++x) {
        const std::int64_t vertex_x = key.x() * wire::kTileCells + x;
        const std::int64_t vertex_y = key.y() * wire::kTileCells + y;
        const auto level = static_cast<int>(key.level());
        const auto of = static_cast<Layer>(layer);
        values.push_back(
            NameOf(request.world()) == kPlanet
                ? PlanetTerrainAt(of, level, static_cast<int>(key.face()), vertex_x, vertex_y)
                : TerrainAt(of, level, vertex_x, vertex_y));
      }
    }
    if (altered) ++values[wire::kTileVertices + 1];
    wire::EncodedLayer encoded =
        wire::EncodeLayer(values, wire::kTileVertices, wire::kTileVertices, shift);
    v1::TileLayer& message = *tile.add_layers();
    message.set_layer(static_cast<v1::Layer>(layer));
    message.set_min(encoded.min);
    message.set_max(encoded.max);
    message.set_lattice_shift(static_cast<std::uint32_t>(shift));
    message.set_data(std::move(encoded.data));
    if (TakeFault(faults.corrupt_tiles)) message.set_data("no layer");
  }
  if (TakeFault(faults.stray_tiles)) tile.mutable_key()->set_x(key.x() + 1'000);
  return tile;
}

}  // namespace

std::int32_t TerrainAt(Layer layer, int level, std::int64_t x, std::int64_t y) {
  const std::uint64_t place =
      Hash(static_cast<std::uint64_t>(x) ^ Hash(static_cast<std::uint64_t>(y)));
  const std::uint64_t noise =
      Hash(place + static_cast<std::uint64_t>(level * 8) + static_cast<std::uint64_t>(layer));
  if (layer == Layer::kCover) {
    // Three classes and two weights. The weights leave a rest for the first class.
    const auto part = [noise](int shift, std::uint64_t most) {
      return static_cast<std::int32_t>((noise >> shift) % most);
    };
    return part(0, kCovers) | part(8, kCovers) << 4 | part(16, kCovers) << 8 | part(24, 128) << 12 |
           part(32, 128) << 20;
  }
  // Hills with a wavelength of 512 vertices. The remainder keeps the sine's argument small.
  const double phase_x = static_cast<double>(((x % 512) + 512) % 512) / 512;
  const double phase_y = static_cast<double>(((y % 512) + 512) % 512) / 512;
  constexpr double kTurn = 6.283185307179586;
  const double hills = 400 * (std::sin(kTurn * phase_x) + std::cos(kTurn * phase_y));
  return static_cast<std::int32_t>(hills * 65536) + static_cast<std::int32_t>(noise & 0x1FFFF);
}

std::int32_t PlanetTerrainAt(Layer layer, int level, int face, std::int64_t x, std::int64_t y) {
  const std::int64_t cells = std::int64_t{wire::kTileCells} << level;
  const sphere::Vertex owner = sphere::OwnerOf({face, x, y}, cells);
  const auto part = [cells](std::int64_t vertex) {
    return static_cast<double>(vertex) / static_cast<double>(cells);
  };
  return PlanetTerrainAt(layer, sphere::PointOf({owner.face, part(owner.x), part(owner.y)}));
}

std::int32_t PlanetTerrainAt(Layer layer, const sphere::Vector& point) {
  if (layer == Layer::kCover) return point.z < 0 ? v1::COVER_GRASS : v1::COVER_SNOW;
  const double hills = 2000 * std::sin(3 * point.x + 5 * point.y) + 1500 * std::cos(4 * point.z);
  return static_cast<std::int32_t>((hills + static_cast<int>(layer)) * 65536);
}

FakeServer::FakeServer(std::shared_ptr<grpc::ServerCredentials> credentials)
    : sessions(session_grid(), MakeWorld("alpine").id()) {
  if (credentials == nullptr) credentials = grpc::InsecureServerCredentials();
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", credentials, &port);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  address_ = "127.0.0.1:" + std::to_string(port);
}

FakeServer::~FakeServer() {
  if (server_ != nullptr) server_->Shutdown(std::chrono::system_clock::now());
}

std::vector<v1::StreamTilesRequest> FakeServer::stream_requests() {
  const std::lock_guard lock(mutex_);
  return stream_requests_;
}

// Each page has one world.
grpc::Status FakeServer::ListWorlds(grpc::ServerContext*, const v1::ListWorldsRequest* request,
                                    v1::ListWorldsResponse* response) {
  if (grpc::Status status = CheckFaults(faults); !status.ok()) return status;
  if (lies.worlds) {
    *response->add_worlds() = MakeWorld("alpine");
    *response->add_worlds() = MakeWorld("islands");
    lies.worlds(*response);
    return grpc::Status::OK;
  }
  const bool is_first = request->page_token().empty();
  *response->add_worlds() = MakeWorld(is_first ? "alpine" : "islands");
  if (is_first || TakeFault(faults.repeated_pages)) response->set_next_page_token("after alpine");
  return grpc::Status::OK;
}

grpc::Status FakeServer::GetWorld(grpc::ServerContext*, const v1::GetWorldRequest* request,
                                  v1::GetWorldResponse* response) {
  if (grpc::Status status = CheckFaults(faults); !status.ok()) return status;
  if (grpc::Status status = CheckWorld(request->world()); !status.ok()) return status;
  *response->mutable_world() = MakeWorld(request->world());
  if (lies.world) lies.world(*response->mutable_world());
  grpc::Status status;
  if (lies.status) lies.status(status);
  return status;
}

void FakeServer::NoteArea(const grpc::ServerContext& context) {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = context.client_metadata().equal_range(wire::kAreaHeader);
  for (auto area = first; area != last; ++area) {
    areas_.emplace_back(area->second.begin(), area->second.end());
  }
}

std::vector<std::string> FakeServer::areas() {
  const std::lock_guard lock(mutex_);
  return areas_;
}

grpc::Status FakeServer::GetTile(grpc::ServerContext* context, const v1::GetTileRequest* request,
                                 v1::GetTileResponse* response) {
  NoteArea(*context);
  if (grpc::Status status = CheckFaults(faults); !status.ok()) return status;
  if (grpc::Status status = CheckWorld(request->world()); !status.ok()) return status;
  if (grpc::Status status = CheckKey(request->world(), request->key()); !status.ok()) return status;
  *response->mutable_tile() = MakeTile(*request, request->key(), faults);
  if (lies.tile) lies.tile(*response->mutable_tile());
  return grpc::Status::OK;
}

grpc::Status FakeServer::StreamTiles(grpc::ServerContext* context,
                                     const v1::StreamTilesRequest* request,
                                     grpc::ServerWriter<v1::StreamTilesResponse>* writer) {
  NoteArea(*context);
  {
    const std::lock_guard lock(mutex_);
    stream_requests_.push_back(*request);
  }
  if (grpc::Status status = CheckFaults(faults); !status.ok()) return status;
  if (grpc::Status status = CheckWorld(request->world()); !status.ok()) return status;
  v1::TileKey last = request->first();
  last.set_x(last.x() + request->columns() - 1);
  last.set_y(last.y() + request->rows() - 1);
  for (const v1::TileKey& corner : {request->first(), last}) {
    if (grpc::Status status = CheckKey(request->world(), corner); !status.ok()) return status;
  }
  if (TakeFault(faults.silent_streams)) {
    while (!context->IsCancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  }
  const bool breaks = TakeFault(faults.broken_streams);
  const bool is_short = TakeFault(faults.short_streams);
  // The order is neither from north to south nor from west to east: clients must not rely on one.
  const std::uint64_t tiles = std::uint64_t{request->columns()} * request->rows();
  for (std::uint64_t i = 0; i < tiles; ++i) {
    if (breaks && i == static_cast<std::uint64_t>(faults.tiles_before_break.load())) {
      return {grpc::StatusCode::UNAVAILABLE, "the line went dead"};
    }
    if (is_short && i + 1 == tiles) break;
    const std::uint64_t at = tiles - 1 - i;
    v1::TileKey key = request->first();
    key.set_x(key.x() + static_cast<std::int64_t>(at % request->columns()));
    key.set_y(key.y() + static_cast<std::int64_t>(at / request->columns()));
    v1::StreamTilesResponse response;
    *response.mutable_tile() = MakeTile(*request, key, faults);
    if (lies.tile) lies.tile(*response.mutable_tile());
    if (!writer->Write(response)) return grpc::Status::CANCELLED;
    while (faults.endless_streams > 0) {
      if (!writer->Write(response)) return grpc::Status::CANCELLED;
    }
  }
  return grpc::Status::OK;
}

grpc::Status FakeServer::Session(grpc::ServerContext* context, FakeSessions::Stream* stream) {
  if (TakeFault(faults.unavailable_calls)) return {grpc::StatusCode::UNAVAILABLE, "stopping"};
  return sessions.Run(context, stream);
}

grpc::Status FakeServer::SampleHeights(grpc::ServerContext*,
                                       const v1::SampleHeightsRequest* request,
                                       v1::SampleHeightsResponse* response) {
  if (TakeFault(faults.unavailable_calls)) return {grpc::StatusCode::UNAVAILABLE, "stopping"};
  if (grpc::Status status = CheckWorld(request->world()); !status.ok()) return status;
  {
    const std::lock_guard lock(mutex_);
    sample_counts_.push_back(request->east_m_size() + request->latitude_deg_size());
  }
  for (const double latitude : request->latitude_deg()) {
    response->add_heights(static_cast<std::int32_t>(std::lround(1'000 * latitude)));
  }
  for (const double east_m : request->east_m()) {
    response->add_heights(static_cast<std::int32_t>(east_m));
  }
  if (lies.heights) lies.heights(*response);
  return grpc::Status::OK;
}

std::vector<int> FakeServer::sample_counts() {
  const std::lock_guard lock(mutex_);
  return sample_counts_;
}

}  // namespace thalweg::client_test
