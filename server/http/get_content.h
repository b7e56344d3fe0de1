// GET /v1/worlds/{world}/3dtiles/{face}/{level}/{x}/{y}.glb: a tile of a planet as glTF.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// See AnswerTile.
void HandleGetContent(const Site& site, const ContentRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters);

}  // namespace thalweg::http
