#include "server/tile/tile_query.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::tile {
namespace {

// 32-bit unsigned on the wire, int here: whatever does not fit is no valid value either.
int Clamped(std::uint32_t value) {
  return static_cast<int>(
      std::min<std::uint32_t>(value, static_cast<std::uint32_t>(std::numeric_limits<int>::max())));
}

absl::StatusOr<v1::Precision> ParsePrecision(int precision) {
  if (!v1::Precision_IsValid(precision)) {
    return absl::InvalidArgumentError(absl::StrCat("precision ", precision, ": there is none"));
  }
  return static_cast<v1::Precision>(precision);
}

absl::StatusOr<field::Priority> ParsePriority(int priority) {
  switch (priority) {
    case v1::PRIORITY_INTERACTIVE:
      return field::Priority::kInteractive;
    case v1::PRIORITY_PREFETCH:
      return field::Priority::kPrefetch;
    case v1::PRIORITY_BAKE:
      return field::Priority::kBake;
    default:
      return absl::InvalidArgumentError(absl::StrCat("priority ", priority, ": there is none"));
  }
}

}  // namespace

absl::StatusOr<LayerChoice> LayerChoice::Parse(const google::protobuf::RepeatedField<int>& layers) {
  LayerChoice choice;
  if (layers.empty()) return choice;
  choice.bits_ = 0;
  for (const int layer : layers) {
    if (!v1::Layer_IsValid(layer) || layer == v1::LAYER_UNSPECIFIED) {
      return absl::InvalidArgumentError(absl::StrCat("layer ", layer, ": there is none"));
    }
    const std::uint32_t bit = 1U << layer;
    if ((choice.bits_ & bit) != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("layer ", v1::Layer_Name(layer), ": is asked for twice"));
    }
    choice.bits_ |= bit;
  }
  return choice;
}

std::vector<v1::Layer> LayerChoice::List() const {
  std::vector<v1::Layer> layers;
  for (const v1::Layer layer : AllLayers()) {
    if ((bits_ >> layer & 1U) != 0) layers.push_back(layer);
  }
  return layers;
}

std::vector<v1::Layer> AllLayers() {
  std::vector<v1::Layer> layers;
  for (int layer = v1::LAYER_UNSPECIFIED + 1; layer <= v1::Layer_MAX; ++layer) {
    if (v1::Layer_IsValid(layer)) layers.push_back(static_cast<v1::Layer>(layer));
  }
  return layers;
}

backend::Layer BackendLayer(v1::Layer layer) {
  switch (layer) {
    case v1::LAYER_HEIGHT:
      return backend::Layer::kHeight;
    case v1::LAYER_FLOW:
      return backend::Layer::kFlow;
    case v1::LAYER_WASH_LOAD:
      return backend::Layer::kWashLoad;
    case v1::LAYER_UPLIFT:
      return backend::Layer::kUplift;
    default:
      std::fprintf(stderr, "tile query: layer %d was not checked\n", static_cast<int>(layer));
      std::abort();
  }
}

cache::TileId IdOf(const TileQuery& query) {
  return {.world = cache::WorldNumbers(query.world->id()),
          .key = query.key,
          .layers = query.layers.bits(),
          .precision = static_cast<std::uint32_t>(query.precision)};
}

wire::TileKey FromProto(const v1::TileKey& key) {
  return {.face = Clamped(key.face()), .level = Clamped(key.level()), .x = key.x(), .y = key.y()};
}

v1::TileKey ToProto(const wire::TileKey& key) {
  v1::TileKey proto;
  proto.set_face(static_cast<std::uint32_t>(key.face));
  proto.set_level(static_cast<std::uint32_t>(key.level));
  proto.set_x(key.x);
  proto.set_y(key.y);
  return proto;
}

absl::StatusOr<TileQuery> ParseTileQuery(std::shared_ptr<const world::World> world,
                                         const v1::GetTileRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(TileQuery query, ParseForm(std::move(world), request.layers(),
                                                      request.precision(), request.priority()));
  query.key = FromProto(request.key());
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(query.key, query.world->levels()));
  return query;
}

absl::StatusOr<TileQuery> ParseForm(std::shared_ptr<const world::World> world,
                                    const google::protobuf::RepeatedField<int>& layers,
                                    int precision, int priority) {
  TileQuery query;
  query.world = std::move(world);
  THALWEG_ASSIGN_OR_RETURN(query.layers, LayerChoice::Parse(layers));
  THALWEG_ASSIGN_OR_RETURN(query.precision, ParsePrecision(precision));
  THALWEG_ASSIGN_OR_RETURN(query.priority, ParsePriority(priority));
  return query;
}

}  // namespace thalweg::tile
