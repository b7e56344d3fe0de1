// Heights as they are shown: passed through the world's height curve.
#pragma once

#include <optional>

#include "server/field/field.h"
#include "server/tile/tile_layers.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// A tile's values, with the heights of ground and water as they are shown. The field's deviation is
// one of shown heights already. Copies the values if the world has a curve: do that on a worker,
// not on the field's threads. The values must outlive this.
class ShownValues {
 public:
  ShownValues(const TileQuery& query, const Sources& sources, const field::TileValues& values);

  const field::TileValues& get() const { return curved_ ? *curved_ : values_; }

 private:
  const field::TileValues& values_;
  std::optional<field::TileValues> curved_;
};

}  // namespace thalweg::tile
