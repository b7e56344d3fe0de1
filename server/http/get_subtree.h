// GET /v1/worlds/{world}/3dtiles/{face}/subtrees/{level}/{x}/{y}.{subtree|json}: which tiles exist
// below a tile, and where.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// See AnswerTile.
void HandleGetSubtree(const Site& site, const SubtreeRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters);

}  // namespace thalweg::http
