#include "server/http/own_origin.h"

#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/http/base_url.h"
#include "server/http/own_url.h"

namespace thalweg::http {
namespace {

absl::Status Refuse(const char* header, const std::string& expected, std::string_view got) {
  return absl::PermissionDeniedError(
      absl::StrCat("invalid ", header, ": expected ", expected, ", got '",
                   absl::CHexEscape(std::string(got.substr(0, 128))),
                   "': only pages of this server may create and delete worlds"));
}

}  // namespace

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
