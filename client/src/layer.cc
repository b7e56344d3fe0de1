#include "thalweg/layer.h"

namespace thalweg {
namespace {

struct Named {
  Layer layer;
  std::string_view name;
};

constexpr Named kNames[] = {{Layer::kHeight, "height"},
                            {Layer::kFlow, "flow"},
                            {Layer::kWashLoad, "wash"},
                            {Layer::kUplift, "uplift"}};

}  // namespace

std::string_view LayerName(Layer layer) {
  for (const Named& named : kNames) {
    if (named.layer == layer) return named.name;
  }
  return "unknown";
}

std::optional<Layer> LayerFromName(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.layer;
  }
  return std::nullopt;
}

}  // namespace thalweg
