#include "server/http/example_policy.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/sha256.h"

namespace thalweg::http {
namespace {

// All parts of a text that are between two marks.
std::vector<std::string_view> Between(std::string_view text, std::string_view begin,
                                      std::string_view end) {
  std::vector<std::string_view> found;
  for (;;) {
    const std::size_t first = text.find(begin);
    if (first == std::string_view::npos) return found;
    text.remove_prefix(first + begin.size());
    found.push_back(text.substr(0, text.find(end)));
  }
}

// The source expression for an inline script or style (Content Security Policy 3, 2.3.1).
std::string HashOf(std::string_view text) {
  return absl::StrCat(" 'sha256-", absl::Base64Escape(wire::Sha256(text)), "'");
}

std::string HashesOf(const std::vector<std::string_view>& texts) {
  std::string hashes;
  for (const std::string_view text : texts) hashes += HashOf(text);
  return hashes;
}

std::string FilesOf(const std::vector<std::string_view>& urls) {
  std::string files;
  for (const std::string_view url : urls) files.append(" ").append(url);
  return files;
}

// The folders of these URLs, each with its last slash: this allows all files below it.
std::string FoldersOf(const std::vector<std::string_view>& urls) {
  std::string folders;
  for (const std::string_view url : urls) {
    folders.append(" ").append(url.substr(0, url.rfind('/') + 1));
  }
  return folders;
}

}  // namespace

std::string ExampleHeaders(std::string_view name, std::string_view html) {
  // CesiumJS loads further scripts, tables and pictures from its own folder, and Knockout, a
  // library in it, evaluates a text when it starts. CesiumJS and MapLibre start workers whose first
  // script is a blob; scripts that it imports from their folder count as workers too.
  const bool has_folder = name.starts_with("/cesium/");
  const bool has_workers = has_folder || name.starts_with("/maplibre/");
  std::vector<std::string_view> scripts = Between(html, "<script src=\"", "\"");
  const auto modules = Between(html, "<link rel=\"modulepreload\" href=\"", "\"");
  scripts.insert(scripts.end(), modules.begin(), modules.end());
  const std::string folder = has_folder ? FoldersOf(scripts) : "";
  const std::string script_sources =
      (has_folder ? folder + " 'unsafe-eval'" : FilesOf(scripts)) +
      HashesOf(Between(html, "<script type=\"module\">", "</script>"));
  // CesiumJS writes styles into elements; sources by hash would forbid that.
  const std::string style_sources =
      FilesOf(Between(html, "<link rel=\"stylesheet\" href=\"", "\"")) +
      (has_folder ? " 'unsafe-inline'" : HashesOf(Between(html, "<style>", "</style>")));
  return absl::StrCat(
      "Content-Security-Policy: default-src 'none'; img-src 'self' data: blob:", folder,
      "; style-src", style_sources, "; script-src", script_sources, "; connect-src 'self'", folder,
      "; worker-src ", has_workers ? "blob:" + FoldersOf(scripts) : "'none'",
      "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "X-Frame-Options: DENY\r\n");
}

}  // namespace thalweg::http
