#include "server/tile/shown_heights.h"

#include <cstddef>

#include "server/world/height_curve.h"

namespace thalweg::tile {

ShownValues::ShownValues(const TileQuery& query, const Sources& sources,
                         const field::TileValues& values)
    : values_(values) {
  const auto curve = query.world->level(query.key.level).CurveOfBlocks();
  if (curve.empty()) return;
  curved_ = values;
  for (std::size_t k = 0; k < sources.layers.size(); ++k) {
    const backend::Layer layer = sources.layers[k];
    if (layer != backend::Layer::kHeight && layer != backend::Layer::kWater) continue;
    for (std::int32_t& height : curved_->planes[k]) height = world::ShownHeight(height, curve);
  }
}

}  // namespace thalweg::tile
