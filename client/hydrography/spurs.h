// Corrects a network of river cells.
#pragma once

#include <cstdint>
#include <vector>

#include "client/hydrography/lakes.h"
#include "client/survey/drainage.h"

namespace thalweg::hydrography {

// Adds the cells through which a river reaches another river across a lake, or over a few cells of
// less flow. `is_river` has one value for each cell.
void BridgeGaps(const survey::Drainage& drainage, const Lakes& lakes,
                std::vector<std::uint8_t>& is_river);

// Removes branches that join a river, or end, within three cells of their source: these are the
// sides of wide rivers. All river cells must have receivers.
void PruneSpurs(const survey::Drainage& drainage, std::vector<std::uint8_t>& is_river);

// Returns how many river cells drain directly into each cell, up to eight.
std::vector<std::uint8_t> CountDonors(const survey::Drainage& drainage,
                                      const std::vector<std::uint8_t>& is_river);

}  // namespace thalweg::hydrography
