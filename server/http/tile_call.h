// Answers that are made of tiles, whatever their form.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "server/http/site.h"
#include "server/http/tile_address.h"

namespace thalweg::http {

// Answers with what an address asks for, or fails with its error: 304 before anything is generated;
// a caller who goes away has the work cancelled; a full queue or a used-up budget is waited for
// until the request's time is over. `world_name` is how the path names the world.
void AnswerTile(const Site& site, std::string_view world_name, const ExchangePointer& exchange,
                absl::StatusOr<TileAddress> address);

}  // namespace thalweg::http
