#include "server/http/assets.h"

#include <string>
#include <utility>

#include "server/http/document.h"

namespace thalweg::http {

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

void HandleAsset(const AssetRoute& route, Exchange& exchange) {
  for (const Asset& asset : AllAssets()) {
    if (asset.name != route.name) continue;
    return AnswerText(std::string(asset.bytes), std::string(MediaTypeOf(asset.name)),
                      "public, no-cache", std::string(kPageHeaders), exchange);
  }
  exchange.Fail(absl::NotFoundError("there is no such file"));
}

}  // namespace thalweg::http
