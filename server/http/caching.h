// How long answers may be cached, and answers to callers that already have the bytes.
#pragma once

#include <string>
#include <string_view>

#include "server/http/exchange.h"
#include "server/world/world.h"

namespace thalweg::http {

// Cache-Control, by how the path names the world: for ever with an id, a minute with a name, which
// may get other terrain. Only private caches may keep an answer to a caller with a token.
std::string_view CacheControlOf(std::string_view named, const world::World& world,
                                const Exchange& exchange);

// Adds the headers for validator and lifetime.
void AddCaching(std::string_view etag, std::string_view cache_control, Response& response);

// Answers with 304 and returns true if the caller already has the validator's bytes.
bool AnswerIfKnown(Exchange& exchange, std::string_view etag, std::string_view cache_control,
                   std::string_view further_headers = {});

}  // namespace thalweg::http
