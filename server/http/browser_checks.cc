#include "server/http/browser_checks.h"

#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/host_port.h"
#include "proto/wire/status_macros.h"
#include "server/http/base_url.h"
#include "server/http/own_url.h"
#include "server/http/problem.h"

namespace thalweg::http {
namespace {

// Whether a Host means this machine: localhost, a name under .localhost, 127.0.0.0/8 or [::1], with
// any port.
bool IsLocalHost(std::string_view host) {
  const std::string name = NameOf(host);
  return absl::EndsWith(name, ".localhost") || wire::IsLoopback(absl::StrCat(name, ":0"));
}

absl::Status Refuse(const char* header, const std::string& expected, std::string_view got) {
  return absl::PermissionDeniedError(
      absl::StrCat("invalid ", header, ": expected ", expected, ", got '",
                   absl::CHexEscape(std::string(got.substr(0, 128))),
                   "': only pages of this server may create and delete worlds"));
}

}  // namespace

bool CheckOwnHost(const Site& site, Exchange& exchange) {
  const std::string_view host = exchange.Header("Host");
  if (!site.options->local_names_only || host.empty()) return true;
  const std::string& url = site.options->public_url;
  // What is not a host has no name: localhost:80@example.org may be another machine.
  if (IsHost(host)) {
    if (IsLocalHost(host)) return true;
    if (!url.empty() && NameOf(host) == HostOf(url)) return true;
  }
  exchange.Answer(ProblemOf(
      421,
      absl::StrCat("invalid Host: expected localhost, an address of this machine",
                   url.empty() ? "" : absl::StrCat(" or ", HostOf(url)), ", got '",
                   absl::CHexEscape(std::string(host.substr(0, 128))),
                   "': start the server with --http-url and the URL that callers use, or with "
                   "--trusted-proxies if a proxy is in front of it"),
      exchange.id()));
  return false;
}

absl::Status CheckOwnOrigin(const Site& site, const Exchange& exchange) {
  // Scripts can't set this header, and proxies do not change it.
  const std::string_view fetch_site = exchange.Header("Sec-Fetch-Site");
  if (fetch_site == "same-origin" || fetch_site == "none") return absl::OkStatus();
  if (!fetch_site.empty()) return Refuse("Sec-Fetch-Site", "same-origin", fetch_site);
  const std::string_view origin = exchange.Header("Origin");
  if (origin.empty()) return absl::OkStatus();
  THALWEG_ASSIGN_OR_RETURN(const std::string base, BaseUrlOf(site, exchange));
  const std::string own(OriginOf(base));
  if (absl::EqualsIgnoreCase(absl::string_view(origin.data(), origin.size()), own)) {
    return absl::OkStatus();
  }
  return Refuse("Origin", own, origin);
}

}  // namespace thalweg::http
