// Worlds as documents.
#pragma once

#include <string>

#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

// With the path of the world's document.
v1::WorldSummary SummaryOf(const world::World& world);

// With URLs that begin with `base`.
v1::WorldDocument DocumentOf(const world::World& world, const std::string& base);

}  // namespace thalweg::http
