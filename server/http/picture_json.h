// GET /v1/worlds/{world}/globe/{picture}/tilejson.json: pictures of a planet as a tile pyramid.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandlePictureJson(const Site& site, const PictureJsonRoute& route,
                       const ExchangePointer& exchange, const ParameterList& parameters);

}  // namespace thalweg::http
