// A COG's overviews from coarser levels.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"
#include "client/raster/raster_sink.h"

namespace thalweg::cli {

// Writes the overviews: each pixel has the value in its own middle, between vertices of its level.
// (Pixels of the file are around vertices, so a pixel of an overview is around a place half a cell,
// one and a half, three and a half, ... from the vertex of its first one.) Layers that are not
// numbers, such as the cover, have that of the nearest vertex.
absl::Status WriteOverviews(const Baking& baking, std::span<const BakedLevel> overviews,
                            const std::vector<std::unique_ptr<raster_file::RasterSink>>& sinks);

}  // namespace thalweg::cli
