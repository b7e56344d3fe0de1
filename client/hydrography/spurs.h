// What makes a network of river cells one of rivers.
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

// Takes away what joins a river, or ends, within three cells of its source: the sides of rivers
// that are several cells wide. Cells of rivers have receivers.
void PruneSpurs(const survey::Drainage& drainage, std::vector<std::uint8_t>& is_river);

// The cells of rivers that drain straight into each cell, up to eight.
std::vector<std::uint8_t> CountDonors(const survey::Drainage& drainage,
                                      const std::vector<std::uint8_t>& is_river);

}  // namespace thalweg::hydrography
