// Code that the different files of bakes share.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/bake/baker.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/raster/raster_sink.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "thalweg/client.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// A square of a bake that gets its own files.
struct BakeTile {
  // The end of its files' names, such as "_x0_y2".
  std::string suffix;
  // The offset in vertices from the whole region's north-west vertex.
  std::int64_t column = 0;
  std::int64_t row = 0;
  // The range of 16 bits for each layer, the same in all tiles.
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
};

// A bake while it runs.
struct Baking {
  const BakeArguments& arguments;
  std::vector<std::unique_ptr<Client>> clients = {};
  std::vector<bake::BakeServer> servers = {};
  WorldInfo world = {};
  bake::Area area = {};
  // Absent: the whole region is in one file.
  std::optional<BakeTile> tile = {};
};

// Opens a file of a format of rasters.
absl::StatusOr<std::unique_ptr<raster_file::RasterSink>> OpenSink(
    const raster_file::RasterDescription& raster, const BakeFormat& format);

// Reads a part's values within the bake's area; returns the store's errors.
absl::StatusOr<Region> ReadPart(const Baking& baking, const bake::PartStore& store,
                                const bake::Part& part);

// Writes a part's values to a band, at their position in the region.
absl::Status WritePart(const Baking& baking, const Region& part,
                       const std::vector<std::int32_t>& values, int band,
                       raster_file::RasterSink& sink);

// Returns FILE-NAME, with the tile's suffix and FILE's ending; an empty name adds nothing.
std::string PathWith(const Baking& baking, const std::string& name);

// Describes a layer's file: FILE, or FILE-LAYER if there are several layers.
raster_file::RasterDescription Describe(const Baking& baking, Layer layer);

// Adds the metadata to an object.
void AddMetadata(const raster_file::RasterDescription& raster, nlohmann::ordered_json& object);

absl::Status WriteText(const std::string& path, const std::string& text);

}  // namespace thalweg::cli
