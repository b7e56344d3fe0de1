// GET /examples/{path}: the pages of client/examples, if the operator enables them.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleExample(const Site& site, const ExampleRoute& route, Exchange& exchange);

}  // namespace thalweg::http
