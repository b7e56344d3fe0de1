// Heights as they are shown: mapped by the world's height curve.
#pragma once

#include <optional>

#include "server/field/field.h"
#include "server/tile/tile_layers.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// A tile's values, with shown heights of ground and water. The deviation already is one of shown
// heights. Copies the values if the world has a curve: use it on a worker, not on the field's
// threads. The values must outlive this.
class ShownValues {
 public:
  ShownValues(const TileQuery& query, const Sources& sources, const field::TileValues& values);

  const field::TileValues& get() const { return curved_ ? *curved_ : values_; }

 private:
  const field::TileValues& values_;
  std::optional<field::TileValues> curved_;
};

}  // namespace thalweg::tile
