// How long answers may be kept, and answers that need not be made at all.
#pragma once

#include <string>
#include <string_view>

#include "server/http/exchange.h"
#include "server/world/world.h"

namespace thalweg::http {

// Cache-Control of what a path names: for ever if it names the world by its id, a minute if by its
// name, whose terrain may be another one tomorrow. Where callers show tokens, their own caches
// alone keep it.
std::string_view CacheControlOf(std::string_view named, const world::World& world,
                                const Exchange& exchange);

// Adds validator and lifetime.
void AddCaching(std::string_view etag, std::string_view cache_control, Response& response);

// Answers 304 if the caller has what the validator names already; false otherwise.
bool AnswerIfKnown(Exchange& exchange, std::string_view etag, std::string_view cache_control,
                   std::string_view further_headers = {});

}  // namespace thalweg::http
