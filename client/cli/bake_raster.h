// The code that a bake's files have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake/baker.h"
#include "client/cli/arguments.h"
#include "client/raster/raster_sink.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "thalweg/client.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// A square of a bake that has files of its own.
struct BakeTile {
  // The end of its files' names: "_x0_y2".
  std::string suffix;
  // Vertices from the whole region's north-west one.
  std::int64_t column = 0;
  std::int64_t row = 0;
  // The range of 16 bits for each layer, the same in all tiles.
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
};

// A bake that is under way.
struct Baking {
  const BakeArguments& arguments;
  std::vector<std::unique_ptr<Client>> clients = {};
  std::vector<bake::BakeServer> servers = {};
  WorldInfo world = {};
  bake::Area area = {};
  // Absent: the whole region is in one file.
  std::optional<BakeTile> tile = {};
};

// Whether the format holds the cover's weights.
bool IsOfCover(BakeFormat format);

raster_file::Sample SampleOf(BakeFormat format);

absl::StatusOr<std::unique_ptr<raster_file::RasterSink>> OpenSink(
    const raster_file::RasterDescription& raster, BakeFormat format);

// The part's values within the bake's area, or the store's errors.
absl::StatusOr<Region> ReadPart(const Baking& baking, const bake::PartStore& store,
                                const bake::Part& part);

// Writes a part's values to a band, at their place in the region.
absl::Status WritePart(const Baking& baking, const Region& part,
                       const std::vector<std::int32_t>& values, int band,
                       raster_file::RasterSink& sink);

// FILE-NAME, with the tile's place and the ending of FILE; an empty name adds nothing.
std::string PathWith(const Baking& baking, const std::string& name);

// A layer's file: FILE, or FILE-LAYER where there are several layers.
raster_file::RasterDescription Describe(const Baking& baking, Layer layer);

// The metadata as members of a JSON object, each after a comma.
std::string MembersOf(const raster_file::RasterDescription& raster);

absl::Status WriteText(const std::string& path, const std::string& text);

}  // namespace thalweg::cli
