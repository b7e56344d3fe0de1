// Answers that are made of tiles, in any form.
#pragma once

#include "absl/status/statusor.h"
#include "server/http/site.h"
#include "server/http/tile_address.h"

namespace thalweg::http {

using ParseAddress = absl::StatusOr<TileAddress> (*)(const Request& request,
                                                     const world::WorldPointer& world);

// Finds the path's world, parses the address and answers with its bytes, or fails with the error of
// either. 304 is answered before anything is generated. If the caller goes away, the work is
// cancelled. A request that a full queue or a used-up budget refuses is tried again until its time
// is over.
void AnswerTile(const Request& request, ParseAddress parse);

}  // namespace thalweg::http
