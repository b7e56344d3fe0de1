// The JSON documents of worlds.
#pragma once

#include <string>

#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

// Contains the path of the world's document.
v1::WorldSummary SummaryOf(const world::World& world);

// Contains URLs that begin with `base`.
v1::WorldDocument DocumentOf(const world::World& world, const std::string& base);

}  // namespace thalweg::http
