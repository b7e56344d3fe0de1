#include "server/http/assets.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "server/http/caching.h"
#include "server/http/handlers.h"

namespace thalweg::http {
namespace {

// One body for all answers with the same bytes, so that slow readers hold no copies.
Body SharedBodyOf(const Asset& asset, Coding coding) {
  using Bodies = std::array<Body, kCodingCount>;
  static const auto all = [] {
    absl::flat_hash_map<const Asset*, Bodies> made;
    for (const auto assets : {AllAssets(), AllExamples()}) {
      for (const Asset& each : assets) {
        std::transform(each.coded.begin(), each.coded.end(), made[&each].begin(),
                       [](const Asset::Coded& coded) { return BodyOf(std::string(coded.bytes)); });
      }
    }
    return made;
  }();
  return all.at(&asset)[static_cast<std::size_t>(coding)];
}

const Asset* Find(std::span<const Asset> assets, std::string_view name) {
  const auto found = std::find_if(assets.begin(), assets.end(),
                                  [name](const Asset& asset) { return asset.name == name; });
  return found == assets.end() ? nullptr : &*found;
}

}  // namespace

std::string_view MediaTypeOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".css", "text/css; charset=utf-8"},
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".png", "image/png"},
      {".svg", "image/svg+xml"},
      {".txt", "text/plain; charset=utf-8"},
      {".wasm", "application/wasm"},
      {".wgsl", "text/wgsl; charset=utf-8"},
  };
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

const Asset* FindAsset(std::string_view name) { return Find(AllAssets(), name); }

const Asset* FindExample(std::string_view name) { return Find(AllExamples(), name); }

void AnswerAsset(const Asset& asset, std::string_view cache_control, Exchange& exchange,
                 std::string_view page_headers) {
  Coding coding = CodingOf(exchange.Header("Accept-Encoding"));
  if (asset.coded[static_cast<std::size_t>(coding)].bytes.empty()) coding = Coding::kIdentity;
  const std::string_view etag = asset.coded[static_cast<std::size_t>(coding)].etag;
  std::string headers = std::string(page_headers) + "Vary: Accept-Encoding\r\n";
  if (AnswerIfKnown(exchange, etag, cache_control, headers)) return;
  Response response{.status = 200,
                    .content_type = std::string(MediaTypeOf(asset.name)),
                    .headers = std::move(headers),
                    .body = SharedBodyOf(asset, coding)};
  if (coding != Coding::kIdentity) response.Add("Content-Encoding", NameOf(coding));
  AddCaching(etag, cache_control, response);
  exchange.Answer(std::move(response));
}

void HandleAsset(const Request& request) {
  const Asset* const asset = FindAsset(request.path.file);
  if (asset == nullptr) {
    return request.exchange->Fail(absl::NotFoundError("unknown file of the viewer"));
  }
  AnswerAsset(*asset, "public, no-cache", *request.exchange);
}

}  // namespace thalweg::http
