// Cuts a recording into parts, between which a device may do other work.
#pragma once

#include <vector>

#include "server/stages/dispatch.h"

namespace thalweg::backend {

using stages::Dispatch;
using stages::Segment;

// Cuts segments into at most `parts` parts that cost about the same. Keeps the order; a dispatch
// that is in several parts is cut between rows.
std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts);

}  // namespace thalweg::backend
