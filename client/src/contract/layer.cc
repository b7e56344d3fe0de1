#include "thalweg/layer.h"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "proto/wire/layer_facts.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg {
namespace {

std::vector<LayerDescription> Describe() {
  std::vector<LayerDescription> layers;
  for (const v1::Layer layer : wire::AllLayers()) {
    const v1::LayerFacts& facts = wire::FactsOf(layer);
    layers.push_back(
        {static_cast<Layer>(layer), facts.name(), facts.unit(), facts.scale(), facts.text()});
  }
  return layers;
}

}  // namespace

std::span<const LayerDescription> AllLayers() {
  static const std::vector<LayerDescription>& layers = *new std::vector(Describe());
  return layers;
}

bool IsLayer(int number) { return number >= 1 && number <= static_cast<int>(AllLayers().size()); }

const LayerDescription& DescriptionOf(Layer layer) {
  if (!IsLayer(static_cast<int>(layer))) std::abort();
  return AllLayers()[static_cast<std::size_t>(layer) - 1];
}

std::string_view LayerName(Layer layer) { return DescriptionOf(layer).name; }

std::optional<Layer> LayerFromName(std::string_view name) {
  for (const LayerDescription& description : AllLayers()) {
    if (description.name == name) return description.layer;
  }
  return std::nullopt;
}

std::string CoverName(Cover cover) {
  constexpr std::string_view kPrefix = "COVER_";
  const std::string& name = v1::Cover_Name(static_cast<v1::Cover>(cover));
  if (name.empty()) std::abort();
  return absl::AsciiStrToLower(name.substr(kPrefix.size()));
}

}  // namespace thalweg
