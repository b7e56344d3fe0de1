#include "server/tile/layers/tile_layers.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>

#include "proto/wire/layer_facts.h"
#include "proto/wire/tile_key.h"
#include "server/tile/layers/cover.h"
#include "server/tile/layers/tile_ground.h"
#include "server/world/block.h"

namespace thalweg::tile {
namespace {

using stages::Layer;

constexpr std::size_t kSide = wire::kTileVertices;
constexpr std::size_t kVertices = kSide * kSide;
// Central differences read the neighbours of vertices on the tile's edge.
constexpr int kGradientMargin = 1;
static_assert(kGradientMargin <= world::kMinApron);

// The backend's layer that has the name of a layer of the contract.
Layer NamesakeOf(v1::Layer layer) {
  const std::string& name = wire::FactsOf(layer).name();
  const auto with_underscore = [](char letter) { return letter == '-' ? '_' : letter; };
  for (const Layer source : stages::LayerSet::All().List()) {
    if (std::ranges::equal(name, std::string_view(stages::NameOf(source)), {}, with_underscore))
      return source;
  }
  std::fprintf(stderr, "tile layers: no source is called %s\n", name.c_str());
  std::abort();
}

// A layer with one source and no margin has the source's own values.
Sources RecipeOf(v1::Layer layer) {
  switch (layer) {
    case v1::LAYER_WATER_LEVEL:
      return {{Layer::kWater}};
    case v1::LAYER_WATER_DEPTH:
      return {{Layer::kWater, Layer::kHeight}};
    case v1::LAYER_SHORE_DISTANCE:
      return {{Layer::kShore, Layer::kWater, Layer::kHeight}};
    case v1::LAYER_SHORE_DIRECTION:
      return {{Layer::kShore}};
    case v1::LAYER_NORMAL:
    case v1::LAYER_SLOPE:
      return {{Layer::kHeight}, kGradientMargin};
    case v1::LAYER_COVER:
      return {{Layer::kHeight, Layer::kFlow, Layer::kWater, Layer::kSediment}, kGradientMargin};
    default:
      return {{NamesakeOf(layer)}};
  }
}

// The water's depth. It is bounded, since the difference of extreme surfaces may not fit.
std::int32_t Depth(std::int32_t surface, std::int32_t ground) {
  const std::int64_t depth = std::int64_t{surface} - ground;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(depth, 0, INT32_MAX));
}

const std::vector<std::int32_t>& PlaneOf(const SourcePlanes& planes, Layer source) {
  const std::vector<Layer>& layers = planes.sources.layers;
  const auto found = std::find(layers.begin(), layers.end(), source);
  return planes.values.planes.at(static_cast<std::size_t>(found - layers.begin()));
}

// A source, by the tile's own columns and rows; the plane's first ones are -margin.
class View {
 public:
  View(const SourcePlanes& planes, Layer source)
      : stride_(wire::kTileVertices + 2 * planes.sources.margin),
        origin_(PlaneOf(planes, source).data() + planes.sources.margin * (stride_ + 1)) {}

  std::int32_t operator()(int x, int y) const { return origin_[y * stride_ + x]; }

 private:
  std::ptrdiff_t stride_;
  const std::int32_t* origin_;
};

template <typename Value>
std::span<const std::int32_t> Fill(std::vector<std::int32_t>& scratch, const Value& value) {
  scratch.resize(kVertices);
  std::size_t k = 0;
  for (int y = 0; y < wire::kTileVertices; ++y) {
    for (int x = 0; x < wire::kTileVertices; ++x) scratch[k++] = value(x, y);
  }
  return scratch;
}

Rise RiseAt(const View& height, int x, int y) {
  const auto apart = [](std::int32_t a, std::int32_t b) {
    return static_cast<double>(std::int64_t{a} - b);
  };
  return {apart(height(x + 1, y), height(x - 1, y)), apart(height(x, y + 1), height(x, y - 1))};
}

// Makes a tile's cover, row by row.
class CoverOf {
 public:
  explicit CoverOf(const SourcePlanes& planes)
      : height_(planes, Layer::kHeight),
        flow_(planes, Layer::kFlow),
        water_(planes, Layer::kWater),
        loose_(planes, Layer::kSediment),
        painter_(planes.world, planes.key.level),
        ground_(planes.world, planes.key),
        cell_m_(static_cast<float>(planes.world.level(planes.key.level).cell_size_m)),
        rounded_(planes.rounded),
        min_river_flow_(MinRiverFlow()),
        highest_flows_(kSide + 2) {}

  void MakeRow(int y, std::span<std::int32_t> row) {
    // Where deep water is all that shows, nothing else is needed. Much of a planet's rows is sea.
    const auto drowned = [&](int x) { return painter_.Drowns(DepthAt(x, y)); };
    int first = 0;
    while (first < wire::kTileVertices && drowned(first)) ++first;
    int last = wire::kTileVertices;
    while (last > first && drowned(last - 1)) --last;
    std::ranges::fill(row, kAllWater);

    for (int x = first - 1; x <= last; ++x) {
      highest_flows_[static_cast<std::size_t>(x + 1)] =
          std::max({flow_(x, y - 1), flow_(x, y), flow_(x, y + 1)});
    }
    places_.clear();
    sites_.clear();
    for (int x = first; x < last; ++x) places_.push_back(ground_.PlaceAt(x, y));
    for (int x = first; x < last; ++x) {
      sites_.push_back(SiteAt(places_[static_cast<std::size_t>(x - first)], x, y));
    }
    const CoverShares& shares = painter_.Paint(places_, sites_);
    PackCover(shares, rounded_ ? kLatticeStep : kExactStep,
              row.subspan(static_cast<std::size_t>(first), places_.size()));
  }

 private:
  // Water as a vertex's only class.
  static constexpr std::int32_t kAllWater = v1::COVER_WATER * 0x111;

  CoverSite SiteAt(const kernels::Place& place, int x, int y) const {
    CoverSite site;
    site.height_m = Metres(height_(x, y));
    const float run = 2 * cell_m_;
    site.latitude_sine = ground_.LatitudeSine(place);
    const TileGround::Aspect aspect =
        ground_.AspectOf(RiseAt(height_, x, y), site.latitude_sine, x, y);
    site.east_slope = Metres(aspect.along_owner.east) / run;
    site.south_slope = Metres(aspect.along_owner.south) / run;
    site.equator_slope = Metres(aspect.towards_equator) / run;
    site.area_m2 = AreaOf(flow_(x, y));
    site.depth_m = DepthAt(x, y);
    site.river = RiverAt(x, y);
    site.loose_m = Metres(loose_(x, y));
    return site;
  }

  static float Metres(double units) { return static_cast<float>(units) * (1.0F / 65536); }
  float DepthAt(int x, int y) const {
    return Metres(static_cast<double>(std::int64_t{water_(x, y)} - height_(x, y)));
  }
  float AreaOf(std::int32_t flow) const {
    return static_cast<float>(flow) * (1.0F / 256) * cell_m_ * cell_m_;
  }

  // The smallest flow whose river is drawn; larger than any flow if none is. The area grows with
  // the flow.
  std::int64_t MinRiverFlow() const {
    std::int64_t low = INT32_MIN;
    std::int64_t high = std::int64_t{INT32_MAX} + 1;
    while (low < high) {
      const std::int64_t middle = std::midpoint(low, high - 1);
      if (AreaOf(static_cast<std::int32_t>(middle)) < painter_.min_river_m2()) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // The largest share of the rivers through the vertex and its neighbours.
  float RiverAt(int x, int y) const {
    float river = 0;
    const auto highest = highest_flows_.begin() + x;
    if (std::max({highest[0], highest[1], highest[2]}) < min_river_flow_) return river;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const std::int32_t flow = flow_(x + dx, y + dy);
        if (flow < min_river_flow_) continue;
        const float beside = dx != 0 && dy != 0 ? 1.41421356F : dx != 0 || dy != 0 ? 1.0F : 0.0F;
        river = std::max(river, painter_.RiverShare(AreaOf(flow), beside * cell_m_));
      }
    }
    return river;
  }

  const View height_;
  const View flow_;
  const View water_;
  const View loose_;
  CoverPainter painter_;
  const TileGround ground_;
  const float cell_m_;
  const bool rounded_;
  const std::int64_t min_river_flow_;
  // The highest flow of each column's three vertices around a row, from the column before the tile.
  std::vector<std::int32_t> highest_flows_;
  // The vertices of a row that are not drowned, and those between them.
  std::vector<kernels::Place> places_;
  std::vector<CoverSite> sites_;
};

bool CanBeMadeOf(const stages::LayerSet& offered, v1::Layer layer) {
  // Every world has a cover, with or without water.
  if (layer == v1::LAYER_COVER) return offered.Contains(Layer::kHeight);
  const std::vector<Layer> needed = RecipeOf(layer).layers;
  return std::all_of(needed.begin(), needed.end(),
                     [&](Layer source) { return offered.Contains(source); });
}

}  // namespace

std::vector<v1::Layer> LayersOf(const stages::LayerSet& offered) {
  std::vector<v1::Layer> layers;
  for (const v1::Layer layer : wire::AllLayers()) {
    if (CanBeMadeOf(offered, layer)) layers.push_back(layer);
  }
  return layers;
}

bool HasLayer(const world::World& world, v1::Layer layer) {
  return CanBeMadeOf(world.layers(), layer);
}

Sources SourcesOf(const std::vector<v1::Layer>& layers) {
  Sources sources;
  for (const v1::Layer layer : layers) {
    const Sources recipe = RecipeOf(layer);
    for (const Layer source : recipe.layers) {
      if (std::find(sources.layers.begin(), sources.layers.end(), source) == sources.layers.end()) {
        sources.layers.push_back(source);
      }
    }
    sources.margin = std::max(sources.margin, recipe.margin);
  }
  return sources;
}

std::span<const std::int32_t> MakeLayer(v1::Layer layer, const SourcePlanes& planes,
                                        std::vector<std::int32_t>& scratch) {
  const double run = 2 * world::CellHeightUnits(planes.world.level(planes.key.level).cell_size_m);
  const TileGround ground(planes.world, planes.key);
  switch (layer) {
    case v1::LAYER_WATER_DEPTH: {
      const View water(planes, Layer::kWater);
      const View height(planes, Layer::kHeight);
      return Fill(scratch, [&](int x, int y) { return Depth(water(x, y), height(x, y)); });
    }
    case v1::LAYER_SHORE_DISTANCE: {
      const View shore(planes, Layer::kShore);
      const View water(planes, Layer::kWater);
      const View height(planes, Layer::kHeight);
      return Fill(scratch, [&](int x, int y) {
        return ShoreDistance(shore(x, y), water(x, y) > height(x, y));
      });
    }
    case v1::LAYER_SHORE_DIRECTION: {
      const View shore(planes, Layer::kShore);
      return Fill(scratch, [&](int x, int y) { return ShoreDirection(shore(x, y)); });
    }
    case v1::LAYER_NORMAL: {
      const View height(planes, Layer::kHeight);
      const auto normal = planes.rounded ? RoundedNormalOf : NormalOf;
      return Fill(scratch, [&](int x, int y) {
        return normal(ground.AlongTile(RiseAt(height, x, y), x, y), run);
      });
    }
    case v1::LAYER_COVER: {
      scratch.resize(kVertices);
      CoverOf cover(planes);
      for (std::size_t y = 0; y < kSide; ++y) {
        cover.MakeRow(static_cast<int>(y), std::span(scratch).subspan(y * kSide, kSide));
      }
      return scratch;
    }
    case v1::LAYER_SLOPE: {
      const View height(planes, Layer::kHeight);
      return Fill(scratch, [&](int x, int y) {
        return SlopeOf(ground.AlongOwner(RiseAt(height, x, y), x, y), run);
      });
    }
    default: {
      const Layer source = RecipeOf(layer).layers.front();
      if (planes.sources.margin == 0) return PlaneOf(planes, source);
      return Fill(scratch, View(planes, source));
    }
  }
}

}  // namespace thalweg::tile
