// Corrections of a network of river cells.
#pragma once

#include <cstdint>
#include <vector>

#include "client/hydrography/lakes.h"
#include "client/survey/drainage.h"

namespace thalweg::hydrography {

// Adds cells to `is_river`, one for each cell: those by which a river reaches another river through
// a lake, or over a few cells of less flow.
void BridgeGaps(const survey::Drainage& drainage, const Lakes& lakes,
                std::vector<std::uint8_t>& is_river);

// Removes branches that join a river, or end, within three cells of their source: the sides of wide
// rivers. Cells of rivers have receivers.
void PruneSpurs(const survey::Drainage& drainage, std::vector<std::uint8_t>& is_river);

// The cells of rivers that drain straight into each cell, up to eight.
std::vector<std::uint8_t> CountDonors(const survey::Drainage& drainage,
                                      const std::vector<std::uint8_t>& is_river);

}  // namespace thalweg::hydrography
