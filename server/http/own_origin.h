// Whether a request may come from a page that is not this server's.
#pragma once

#include "absl/status/status.h"
#include "server/http/site.h"

namespace thalweg::http {

// For requests that change something. Browsers say which page a request is from, in Sec-Fetch-Site
// or, to servers without encryption, in Origin: PERMISSION_DENIED when that is another origin's.
// Who says nothing is no browser.
absl::Status CheckOwnOrigin(const Site& site, const Exchange& exchange);

}  // namespace thalweg::http
