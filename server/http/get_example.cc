#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "server/http/assets.h"
#include "server/http/base_url.h"
#include "server/http/example_policy.h"
#include "server/http/handlers.h"

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

}  // namespace

void HandleExample(const Request& request) {
  const std::string& path = request.path.file;
  Exchange& exchange = *request.exchange;
  if (!request.site.options->examples) {
    return exchange.Fail(absl::NotFoundError(
        "unknown path: expected none under /examples/, since the server runs without --examples"));
  }
  const bool is_folder = path.ends_with('/');
  if (const Asset* page = FindExample(is_folder ? path + "index.html" : path)) {
    return AnswerAsset(*page, "public, no-cache", exchange, HeadersOf(*page));
  }
  if (!is_folder && FindExample(path + "/index.html") != nullptr) {
    return RedirectIntoFolder("/examples" + path, exchange);
  }
  exchange.Fail(
      absl::NotFoundError("unknown example: expected one of those that /examples/ lists"));
}

}  // namespace thalweg::http
