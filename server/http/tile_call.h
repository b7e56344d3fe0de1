// Answers that are made of tiles, whatever their form.
#pragma once

#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/http/site.h"
#include "server/http/tile_address.h"

namespace thalweg::http {

// Finds the world and answers with what the address asks for that `parse` makes for it, or fails
// with the error of either: 304 before anything is generated; a caller who goes away has the work
// cancelled; a full queue or a used-up budget is waited for until the request's time is over.
// `world_name` is how the path names the world.
void AnswerTile(const Site& site, const std::string& world_name, const ExchangePointer& exchange,
                absl::AnyInvocable<absl::StatusOr<TileAddress>(world::WorldPointer) &&> parse);

}  // namespace thalweg::http
