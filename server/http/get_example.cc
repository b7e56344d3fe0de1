#include "server/http/get_example.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "server/http/assets.h"
#include "server/http/example_policy.h"

namespace thalweg::http {
namespace {

std::string_view HeadersOf(const Asset& page) {
  static const auto all = [] {
    absl::flat_hash_map<const Asset*, std::string> made;
    for (const Asset& each : AllExamples()) made[&each] = ExampleHeaders(each.name, each.bytes());
    return made;
  }();
  return all.at(&page);
}

// Redirects to the same folder with a slash, which the page's relative links need. The location is
// relative too, since a proxy may serve this server below another path.
void Redirect(std::string_view folder, Exchange& exchange) {
  const auto target = exchange.message().target();
  const std::string_view text(target.data(), target.size());
  const std::size_t query = text.find('?');
  Response response{.status = 307, .content_type = "", .headers = "", .body = nullptr};
  std::string location = std::string(folder.substr(folder.rfind('/') + 1)) + "/";
  if (query != std::string_view::npos) location += text.substr(query);
  response.Add("Location", location);
  response.Add("Cache-Control", "no-cache");
  exchange.Answer(std::move(response));
}

}  // namespace

void HandleExample(const Site& site, const ExampleRoute& route, Exchange& exchange) {
  if (!site.options->examples) {
    return exchange.Fail(absl::NotFoundError(
        "unknown path: expected none under /examples/, since the server runs without --examples"));
  }
  const bool is_folder = route.path.ends_with('/');
  if (const Asset* page = FindExample(is_folder ? route.path + "index.html" : route.path)) {
    return AnswerAsset(*page, "public, no-cache", exchange, HeadersOf(*page));
  }
  if (!is_folder && FindExample(route.path + "/index.html") != nullptr) {
    return Redirect("/examples" + route.path, exchange);
  }
  exchange.Fail(
      absl::NotFoundError("unknown example: expected one of those that /examples/ lists"));
}

}  // namespace thalweg::http
