// The layers of a tile and their units.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thalweg {

// What a tile holds a value of at each of its vertices. The numbers are those of the contract and
// never change.
enum class Layer : std::uint8_t {
  // Height of the ground above the world's datum, in 1/65,536 m (Q16.16).
  kHeight = 1,
  // Mean discharge of water, in 1/256 of what rain on one cell brings.
  kFlow = 2,
  // Thickness of what water kept in suspension to its end, in 1/65,536 m.
  kWashLoad = 3,
  // Height that the rebound of the crust gave back at this level, in 1/65,536 m.
  kUplift = 4,
};

// The layer's short name: "height", "flow", "wash" or "uplift".
std::string_view LayerName(Layer layer);

// The layer of a short name; nothing for any other text.
std::optional<Layer> LayerFromName(std::string_view name);

// How values are rounded before they travel.
enum class Precision : std::uint8_t {
  // Heights to about a 64th of the level's cell, the same for a whole level; other layers are
  // exact.
  kLattice = 0,
  // Not at all: the bits that were computed.
  kExact = 1,
};

// How urgent a computation is to the server: of two that wait, the lower number goes first.
enum class Priority : std::uint8_t {
  kInteractive = 0,
  kPrefetch = 1,
  kBake = 2,
};

}  // namespace thalweg
