// Heights as they are shown: passed through the world's height curve.
#pragma once

#include <optional>

#include "server/field/field.h"
#include "server/tile/tile_layers.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// A tile's values with heights as they are shown, those of the ground and of the water. What the
// field says of the tile's deviation is of shown heights already. It copies the values where the
// world has a curve, which is work for a worker, not for the field's threads. The values outlive
// it.
class ShownValues {
 public:
  ShownValues(const TileQuery& query, const Sources& sources, const field::TileValues& values);

  const field::TileValues& get() const { return curved_ ? *curved_ : values_; }

 private:
  const field::TileValues& values_;
  std::optional<field::TileValues> curved_;
};

}  // namespace thalweg::tile
