#include "proto/wire/layer_facts.h"

#include <google/protobuf/descriptor.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace thalweg::wire {
namespace {

std::vector<v1::Layer> ListLayers() {
  std::vector<v1::Layer> layers;
  const google::protobuf::EnumDescriptor& type = *v1::Layer_descriptor();
  for (int i = 0; i < type.value_count(); ++i) {
    const int number = type.value(i)->number();
    if (number != v1::LAYER_UNSPECIFIED) layers.push_back(static_cast<v1::Layer>(number));
  }
  return layers;
}

}  // namespace

const std::vector<v1::Layer>& AllLayers() {
  static const std::vector<v1::Layer>& layers = *new std::vector<v1::Layer>(ListLayers());
  return layers;
}

const v1::LayerFacts& FactsOf(v1::Layer layer) {
  const auto* const value = v1::Layer_descriptor()->FindValueByNumber(layer);
  if (value == nullptr || !value->options().HasExtension(v1::layer)) {
    std::fprintf(stderr, "layer facts: layer %d was not checked\n", static_cast<int>(layer));
    std::abort();
  }
  return value->options().GetExtension(v1::layer);
}

std::optional<v1::Layer> FindLayer(std::string_view name) {
  for (const v1::Layer layer : AllLayers()) {
    if (FactsOf(layer).name() == name) return layer;
  }
  return std::nullopt;
}

double GreyStepOf(const v1::LayerFacts& facts) {
  return std::ldexp(facts.scale(), static_cast<int>(facts.grey().shift()));
}

double GreyOffsetOf(const v1::LayerFacts& facts) { return facts.grey().offset() * facts.scale(); }

}  // namespace thalweg::wire
