// The raster formats: what each is called, what it can hold and what makes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

struct Grid;
struct RasterQuery;

enum class Format { kRelief, kSatellite, kTerrarium, kMapbox, kPng16, kLerc };

struct FormatFacts {
  Format format;
  // Of a tile's path, without the dot.
  std::string_view extension;
  std::string_view media_type;
  // Whether it can hold a layer, and in words which layers these are.
  bool (*holds)(v1::Layer layer, const v1::LayerFacts& facts);
  std::string_view held;
  // The raster's bytes. DATA_LOSS when the grid lacks a layer that is drawn, INTERNAL when a
  // library fails.
  absl::StatusOr<std::string> (*render)(const RasterQuery& query, const Grid& grid);
  v1::Layer default_layer = v1::LAYER_HEIGHT;
  // Pixels in a row.
  int default_size = 256;
};

const FormatFacts& FactsOf(Format format);

// By its extension; nothing for an unknown one.
std::optional<Format> FormatOf(std::string_view extension);

// All extensions: "png, ... or lerc".
std::string Extensions();

// What makes the formats.
absl::StatusOr<std::string> RenderRelief(const RasterQuery& query, const Grid& grid);
absl::StatusOr<std::string> RenderTerrarium(const RasterQuery& query, const Grid& grid);
absl::StatusOr<std::string> RenderMapbox(const RasterQuery& query, const Grid& grid);
absl::StatusOr<std::string> RenderGrey(const RasterQuery& query, const Grid& grid);
absl::StatusOr<std::string> RenderLerc(const RasterQuery& query, const Grid& grid);

}  // namespace thalweg::raster
