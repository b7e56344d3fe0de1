// Checks of requests that a browser may send for a page of another site.
#pragma once

#include "absl/status/status.h"
#include "server/http/site.h"

namespace thalweg::http {

// A page of another site can make its own name point to this machine. Its browser then takes the
// server for that site, and lets the page read all answers. So a server with `local_names_only`
// answers only requests to names of this machine and to the host of `public_url`, with any port,
// since tunnels change ports. Answers others with 421, and returns false. A request without a Host
// is not from a browser.
bool CheckOwnHost(const Site& site, Exchange& exchange);

// For requests that change something. A browser names the page that sends a request, in
// Sec-Fetch-Site or, to a server without encryption, in Origin. PERMISSION_DENIED if the page is of
// another origin. A request with neither header is not from a browser.
absl::Status CheckOwnOrigin(const Site& site, const Exchange& exchange);

}  // namespace thalweg::http
