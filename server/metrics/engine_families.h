// Metrics of the field and the tile service.
#pragma once

#include <string>

#include "server/field/field.h"
#include "server/metrics/families.h"
#include "server/tile/tile_service.h"

namespace thalweg::metrics {

// The queues, runs and memory of the devices.
void AddField(const field::FieldStats& stats, Families& families);

// Where tiles came from, and how long encoding took.
void AddTiles(const tile::TileServiceStats& stats, Families& families);

}  // namespace thalweg::metrics
