// Answers that are made of tiles, whatever their form.
#pragma once

#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/http/site.h"
#include "server/http/tile_address.h"

namespace thalweg::http {

// Finds the world, parses the address by `parse` and answers with its bytes, or fails with the
// error of either. 304 comes before anything is generated. When the caller goes away, the work is
// cancelled. A full queue or a used-up budget is waited for until the request's time is over.
// `world_name` is how the path names the world.
void AnswerTile(const Site& site, const std::string& world_name, const ExchangePointer& exchange,
                absl::AnyInvocable<absl::StatusOr<TileAddress>(world::WorldPointer) &&> parse);

}  // namespace thalweg::http
