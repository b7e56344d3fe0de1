// Checks that a server's answers are what the contract allows. Each answer is checked as it
// arrives, before it is used, because its numbers become loop counts, sizes and shifts.
//
//   worlds        number, order; name, id, cell size, levels, sea level, rules, angles of repose,
//                 layers, reach; the name or id that was asked for
//   tiles         size of the message; face, level and coordinates; world's id, tag; which layers,
//                 lattice shifts, bytes (proto/wire), min and max; geometric error at level 0
//   sessions      world's id, cell size, levels. Order of responses: session_rules.h
//   heights       how many
//   streams       no more tiles than were asked for, all of one world: region_plan.h
//   errors        texts: messages.h; delays: ClientOptions::max_retry_delay, an hour in a view
//
// Pages of worlds must follow the order of names, so a list ends. Numbers without a meaning here
// (seed, generator's version) and values of heights and layers, which may be any 32-bit integers,
// are not checked.
//
// Errors are INTERNAL or DATA_LOSS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/wire/tile_key.h"
#include "thalweg/layer.h"
#include "thalweg/tile.h"
#include "thalweg/v1/session.pb.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg {

// The layers and the precision that every tile of an answer must have.
struct TileForm {
  std::vector<Layer> layers = {Layer::kHeight};
  Precision precision = Precision::kLattice;
};

// Returns the form that a request asks for. No layers: only the height.
TileForm FormOf(const TileOptions& options);

// Checks a page of the list of worlds, after `worlds_before` worlds up to `last_name`. INTERNAL.
absl::Status CheckWorlds(const v1::ListWorldsResponse& page, const std::string& last_name,
                         std::size_t worlds_before);
// INTERNAL.
absl::Status CheckWorld(const v1::World& world);
absl::Status CheckOpened(const v1::SessionOpened& opened);

// INTERNAL unless the world has this name, or this id in hexadecimal.
absl::Status CheckIsWorld(const v1::World& world, const std::string& asked_for);

// DATA_LOSS unless there is one height for each point.
absl::Status CheckHeights(const v1::SampleHeightsResponse& heights, std::size_t points);

// INTERNAL unless a world of this shape and number of levels has the tile.
absl::Status CheckKey(const v1::TileKey& key, wire::Shape shape, int levels);

// DATA_LOSS unless some world may have the tile.
absl::Status CheckTileKey(const v1::Tile& tile);

// Checks everything of a tile except its layers. DATA_LOSS.
absl::Status CheckTile(const v1::Tile& tile, const TileForm& form);

// Checks one layer of a tile, before it is decoded. DATA_LOSS.
absl::Status CheckLayer(const v1::TileLayer& layer, Precision precision);

// Returns the tag of a tile of this form in a world, whose id is given as its 16 bytes.
std::uint64_t ExpectedTag(const std::string& world_id, const wire::TileKey& key,
                          const TileForm& form);

}  // namespace thalweg
