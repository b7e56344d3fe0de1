// Answers that are made of tiles, in any form.
#pragma once

#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/http/site.h"
#include "server/http/tile_address.h"

namespace thalweg::http {

// Finds the world, parses the address by `parse` and answers with its bytes, or fails with the
// error of either. 304 is answered before anything is generated. If the caller goes away, the work
// is cancelled. A request that a full queue or a used-up budget refuses is tried again until its
// time is over. `world_name` is the name or id in the path.
void AnswerTile(const Site& site, const std::string& world_name, const ExchangePointer& exchange,
                absl::AnyInvocable<absl::StatusOr<TileAddress>(world::WorldPointer) &&> parse);

// GET /v1/worlds/{world}/tiles/{level}/{x}/{y}.{ext}, and the same for XYZ tiles of web maps. See
// AnswerTile.
void HandleGetTile(const Site& site, const TileRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
