// GET /: a page with the worlds, for people.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleIndex(const Site& site, Exchange& exchange);

}  // namespace thalweg::http
