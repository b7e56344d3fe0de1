#include "server/raster/format.h"

#include <Lerc_c_api.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"
#include "server/raster/layer_grid.h"
#include "server/raster/raster_query.h"

namespace thalweg::raster {
namespace {

// LERC (Esri's Limited Error Raster Compression): values as 32-bit floats in the layer's unit.
constexpr unsigned int kFloat = 6;  // float, as a data type of LERC

// LERC rounds relative to each block's own minimum, so shared edges would differ. It rounds nothing
// if values are on a lattice whose step is twice the allowed error. Surfaces are on the level's
// lattice, of at least 1/512 m; floats hold its values exactly up to 32 km.
int ShiftOf(const RasterQuery& query) {
  constexpr int kMinSurfaceShift = 7;
  const v1::LayerFacts& facts = wire::FactsOf(query.layer);
  if (!facts.surface()) return static_cast<int>(facts.grey().shift());
  return std::max(kMinSurfaceShift, world::LatticeShift(PixelMetres(query)));
}

constexpr std::string_view kPng = "image/png";

bool HoldsAny(v1::Layer, const v1::LayerFacts&) { return true; }
bool HoldsCover(v1::Layer layer, const v1::LayerFacts&) { return layer == v1::LAYER_COVER; }
bool HoldsSurfaces(v1::Layer, const v1::LayerFacts& facts) { return facts.surface(); }
bool HoldsNumbers(v1::Layer, const v1::LayerFacts& facts) { return facts.has_grey(); }

constexpr std::string_view kSurfaces = "height or water-level in this format";
constexpr std::string_view kNumbers =
    "one number a vertex in this format (tlw and png have others)";

// In the order of Format.
constexpr FormatFacts kFormats[] = {
    {Format::kRelief, "png", kPng, HoldsAny, "any", RenderRelief},
    {Format::kSatellite, "satellite.png", kPng, HoldsCover,
     "cover in this format (png shows others)", RenderRelief, v1::LAYER_COVER},
    {Format::kTerrarium, "terrarium.png", kPng, HoldsSurfaces, kSurfaces, RenderTerrarium,
     v1::LAYER_HEIGHT, 256, true},
    {Format::kMapbox, "mapbox.png", kPng, HoldsSurfaces, kSurfaces, RenderMapbox, v1::LAYER_HEIGHT,
     256, true},
    {Format::kPng16, "png16", kPng, HoldsNumbers, kNumbers, RenderGrey},
    // LERC is used for meshes, which need all vertices of a tile.
    {Format::kLerc, "lerc", "application/octet-stream", HoldsNumbers, kNumbers, RenderLerc,
     v1::LAYER_HEIGHT, 257},
};

}  // namespace

absl::StatusOr<std::string> RenderLerc(const RasterQuery& query, const LayerGrid& grid) {
  const double scale = wire::FactsOf(query.layer).scale();
  const int shift = ShiftOf(query);
  const double step = std::ldexp(scale, shift);
  THALWEG_ASSIGN_OR_RETURN(const auto exact, ValuesOf(grid, query.layer));
  std::vector<float> values;
  for (const std::int32_t value : exact) {
    values.push_back(static_cast<float>(wire::RoundToLattice(value, shift) * scale));
  }
  unsigned int max = 0;
  lerc_status status = lerc_computeCompressedSize(values.data(), kFloat, 1, grid.size, grid.size, 1,
                                                  0, nullptr, step / 2, &max);
  std::string bytes(max, '\0');
  unsigned int written = 0;
  if (status == 0) {
    status = lerc_encode(values.data(), kFloat, 1, grid.size, grid.size, 1, 0, nullptr, step / 2,
                         reinterpret_cast<unsigned char*>(bytes.data()), max, &written);
  }
  if (status != 0)
    return absl::InternalError(absl::StrCat("encode LERC: expected status 0, got ", status));
  bytes.resize(written);
  bytes.shrink_to_fit();
  return bytes;
}

const FormatFacts& FactsOf(Format format) { return kFormats[static_cast<std::size_t>(format)]; }

std::optional<Format> FormatOf(std::string_view extension) {
  for (const FormatFacts& facts : kFormats) {
    if (facts.extension == extension) return facts.format;
  }
  return std::nullopt;
}

std::string Extensions() {
  std::string all;
  for (const FormatFacts& facts : kFormats) {
    const bool last = &facts == std::end(kFormats) - 1;
    absl::StrAppend(&all,
                    all.empty() ? ""
                    : last      ? " or "
                                : ", ",
                    absl::string_view(facts.extension.data(), facts.extension.size()));
  }
  return all;
}

}  // namespace thalweg::raster
