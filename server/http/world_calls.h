// Documents of worlds.
#pragma once

#include <string>

#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

// Contains the URL of the world's document: `base` and the path.
v1::WorldSummary SummaryOf(const world::World& world, const std::string& base);

// Contains URLs that begin with `base`.
v1::WorldDocument DocumentOf(const world::World& world, const std::string& base);

}  // namespace thalweg::http
