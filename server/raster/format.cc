#include "server/raster/format.h"

#include <cstddef>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace thalweg::raster {
namespace {

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
