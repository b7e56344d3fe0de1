// The raster formats: their names, the layers that they can hold, and the functions that make them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

struct LayerGrid;
struct RasterQuery;

enum class Format { kRelief, kSatellite, kTerrarium, kMapbox, kPng16, kLerc };

struct FormatFacts {
  Format format;
  // The extension in a tile's path, without the dot.
  std::string_view extension;
  std::string_view media_type;
  // Whether it can hold a layer, and which layers these are, in words.
  bool (*holds)(v1::Layer layer, const v1::LayerFacts& facts);
  std::string_view held;
  // Makes the raster's bytes. DATA_LOSS if the grid lacks a layer that is drawn, INTERNAL if a
  // library fails.
  absl::StatusOr<std::string> (*render)(const RasterQuery& query, const LayerGrid& grid);
  v1::Layer default_layer = v1::LAYER_HEIGHT;
  // Pixels in a row.
  int default_size = 256;
  // Whether its pixels may have the values of their centres.
  bool has_centres = false;
};

const FormatFacts& FactsOf(Format format);

// The format of an extension; empty if it is unknown.
std::optional<Format> FormatOf(std::string_view extension);

// All extensions in words: "png, ... or lerc".
std::string Extensions();

// The functions that make the formats.
absl::StatusOr<std::string> RenderRelief(const RasterQuery& query, const LayerGrid& grid);
absl::StatusOr<std::string> RenderTerrarium(const RasterQuery& query, const LayerGrid& grid);
absl::StatusOr<std::string> RenderMapbox(const RasterQuery& query, const LayerGrid& grid);
absl::StatusOr<std::string> RenderGrey(const RasterQuery& query, const LayerGrid& grid);
absl::StatusOr<std::string> RenderLerc(const RasterQuery& query, const LayerGrid& grid);

}  // namespace thalweg::raster
