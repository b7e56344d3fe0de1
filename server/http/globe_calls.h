// The requests for pictures of a planet: GET /v1/worlds/{world}/globe/{picture}/...
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// tilejson.json: the pictures as a tile pyramid.
void HandlePictureJson(const Site& site, const PictureJsonRoute& route,
                       const ExchangePointer& exchange, const ParameterList& parameters);

// {z}/{x}/{y}.png: a tile of the pyramid. See AnswerTile.
void HandleGetPicture(const Site& site, const PictureRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters);

}  // namespace thalweg::http
