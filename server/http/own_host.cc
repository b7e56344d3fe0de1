#include "server/http/own_host.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/host_port.h"
#include "server/http/problem.h"

namespace thalweg::http {
namespace {

// HOST or HOST:PORT without its port, in lower case.
std::string NameOf(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
  return absl::AsciiStrToLower(absl::string_view(host.data(), has_port ? colon : host.size()));
}

// The host of a URL, in lower case.
std::string HostOf(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
  }
  return NameOf(url.substr(0, url.find('/')));
}

}  // namespace

bool IsLocalHost(std::string_view host) {
  const std::string name = NameOf(host);
  return absl::EndsWith(name, ".localhost") || wire::IsLoopback(absl::StrCat(name, ":0"));
}

bool CheckOwnHost(const Site& site, Exchange& exchange) {
  const std::string_view host = exchange.Header("Host");
  if (!site.options->local_names_only || host.empty() || IsLocalHost(host)) return true;
  const std::string& url = site.options->public_url;
  if (!url.empty() && NameOf(host) == HostOf(url)) return true;
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
