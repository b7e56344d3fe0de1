// How long answers may be kept, and answers for callers that have them already.
#pragma once

#include <string>
#include <string_view>

#include "server/http/exchange.h"
#include "server/world/world.h"

namespace thalweg::http {

// Cache-Control by how a path names its world: for ever by id, a minute by name, since a name may
// get other terrain. If callers need tokens, only private caches may keep it.
std::string_view CacheControlOf(std::string_view named, const world::World& world,
                                const Exchange& exchange);

// Adds validator and lifetime.
void AddCaching(std::string_view etag, std::string_view cache_control, Response& response);

// Answers 304 if the caller has the validator's bytes already; false otherwise.
bool AnswerIfKnown(Exchange& exchange, std::string_view etag, std::string_view cache_control,
                   std::string_view further_headers = {});

}  // namespace thalweg::http
