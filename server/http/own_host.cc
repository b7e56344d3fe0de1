#include "server/http/own_host.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/host_port.h"
#include "server/http/own_url.h"
#include "server/http/problem.h"

namespace thalweg::http {
bool IsLocalHost(std::string_view host) {
  const std::string name = NameOf(host);
  return absl::EndsWith(name, ".localhost") || wire::IsLoopback(absl::StrCat(name, ":0"));
}

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

}  // namespace thalweg::http
