// Whether a request names this server.
#pragma once

#include <string_view>

#include "server/http/site.h"

namespace thalweg::http {

// Whether a Host means this machine: localhost, a name under .localhost, 127.0.0.0/8 or [::1], with
// any port.
bool IsLocalHost(std::string_view host);

// A page of another site can make its own name point to this machine. Its browser then takes the
// server for that site, and lets the page read all answers. So a server with `local_names_only`
// answers only requests to names of this machine and to the host of `public_url`, with any port,
// since tunnels change ports. Answers others with 421, and returns false. A request without a Host
// is not from a browser.
bool CheckOwnHost(const Site& site, Exchange& exchange);

}  // namespace thalweg::http
