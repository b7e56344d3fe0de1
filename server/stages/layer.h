// The layers of a block: the quantities with a value at each vertex.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "shaders/kernels/layers.glsl"

namespace thalweg::stages {

// In the units of thalweg.v1.Layer, and in the order of a block's planes. Inherited layers come
// first. kWay is only for children: where a vertex's river goes, and the area that drains through
// it (see shaders/kernels/rivers.glsl). kFraction is only for bookkeeping: ground below a height
// unit, in grains (see shaders/kernels/droplet.glsl).
enum class Layer : std::uint8_t {
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) k##Name = number,
#include "shaders/kernels/layers.inc"
};

// A layer's name, in lower case with underscores.
constexpr const char* NameOf(Layer layer) {
  switch (layer) {
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) \
  case Layer::k##Name:                                           \
    return #name;
#include "shaders/kernels/layers.inc"
  }
  return "";
}

// A set of layers. It always has height and flow, since children need them.
class LayerSet {
 public:
  constexpr LayerSet() = default;
  constexpr LayerSet(std::initializer_list<Layer> layers) {
    for (const Layer layer : layers) bits_ |= Bit(layer);
  }

  // Every layer up to this one, in the order of planes.
  static constexpr LayerSet UpTo(Layer last) {
    LayerSet set;
    set.bits_ |= (Bit(last) << 1) - 1;
    return set;
  }
  static constexpr LayerSet All() { return UpTo(static_cast<Layer>(kernels::kLayerCount - 1)); }
  // The layers that children read from their parent.
  static constexpr LayerSet Inherited() {
    LayerSet set;
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) \
  if (inherited) set.bits_ |= Bit(Layer::k##Name);
#include "shaders/kernels/layers.inc"
    return set;
  }
  // The layers that clients get from every world.
  static constexpr LayerSet Everywhere() {
    LayerSet set;
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) \
  if (everywhere) set.bits_ |= Bit(Layer::k##Name);
#include "shaders/kernels/layers.inc"
    return set;
  }

  constexpr bool Contains(Layer layer) const { return (bits_ & Bit(layer)) != 0; }
  constexpr bool Contains(const LayerSet& other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr int Count() const { return std::popcount(bits_); }
  // The index of a layer's plane; the set must have the layer.
  constexpr int PlaneOf(Layer layer) const { return std::popcount(bits_ & (Bit(layer) - 1)); }
  // The layers in the order of their planes.
  std::vector<Layer> List() const {
    std::vector<Layer> layers;
    for (int i = 0; i < kernels::kLayerCount; ++i) {
      if (Contains(static_cast<Layer>(i))) layers.push_back(static_cast<Layer>(i));
    }
    return layers;
  }
  // A bit for each layer, by its number.
  constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr LayerSet operator|(LayerSet a, const LayerSet& b) {
    a.bits_ |= b.bits_;
    return a;
  }
  friend constexpr bool operator==(const LayerSet&, const LayerSet&) = default;

 private:
  static constexpr std::uint32_t Bit(Layer layer) { return 1u << static_cast<unsigned>(layer); }

  std::uint32_t bits_ = 3;
};

static_assert(std::has_single_bit(LayerSet::Inherited().bits() + 1), "inherited layers come first");
#define THALWEG_LAYER(number, Name, name, inherited, everywhere) \
  static_assert((number) < kernels::kLayerCount);
#define THALWEG_PLANE(number, Name) static_assert((number) < kernels::kLayerPlanes);
#include "shaders/kernels/layers.inc"

// The layers that a stage reads and writes, of those that exist only if a stage writes them.
struct LayerAccess {
  LayerSet reads;
  LayerSet writes;
};

// The access of a stage that has no function of its own: none. `message` is the stage's message;
// `sea`: whether the world has a sea, which counts as water.
template <typename Message>
LayerAccess AccessOf(const Message& /*message*/, bool /*sea*/) {
  return {};
}

}  // namespace thalweg::stages
