// Whether a request may come from a page of another origin.
#pragma once

#include "absl/status/status.h"
#include "server/http/site.h"

namespace thalweg::http {

// For requests that change something. A browser names the page that sends a request, in
// Sec-Fetch-Site or, to a server without encryption, in Origin. PERMISSION_DENIED if the page is of
// another origin. A request with neither header is not from a browser.
absl::Status CheckOwnOrigin(const Site& site, const Exchange& exchange);

}  // namespace thalweg::http
