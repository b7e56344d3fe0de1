// GET /v1/worlds/{world}/globe/{picture}/{z}/{x}/{y}.png: a tile of a planet as a picture.
#pragma once

#include "absl/status/statusor.h"
#include "server/geographic/tiling.h"
#include "server/http/parameters.h"
#include "server/http/site.h"

namespace thalweg::http {

// The parameter `tiling`: geographic, which is the default, or mercator. INVALID_ARGUMENT for other
// values.
absl::StatusOr<geographic::Tiling> ParseTiling(const Parameters& parameters);

// See AnswerTile.
void HandleGetPicture(const Site& site, const PictureRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters);

}  // namespace thalweg::http
