// Whether a request may come from a page that is not this server's.
#pragma once

#include "absl/status/status.h"
#include "server/http/site.h"

namespace thalweg::http {

// For requests that change something. Browsers name the page that sends a request, in
// Sec-Fetch-Site or, to servers without encryption, in Origin: PERMISSION_DENIED when it is of
// another origin. A request with neither is not from a browser.
absl::Status CheckOwnOrigin(const Site& site, const Exchange& exchange);

}  // namespace thalweg::http
