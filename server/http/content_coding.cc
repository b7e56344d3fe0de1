#include "server/http/content_coding.h"

#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace thalweg::http {
namespace {

// Whether an element of Accept-Encoding names the coding, with a weight above 0.
bool Allows(absl::string_view element, absl::string_view name) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(element, absl::MaxSplits(';', 1));
  if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(parts.first), name)) return false;
  const absl::string_view weight = absl::StripAsciiWhitespace(parts.second);
  // A weight of 0 is "q=0", "q=0.0", "q=0.00" or "q=0.000".
  return !absl::StartsWithIgnoreCase(weight, "q=0") ||
         weight.find_first_not_of("0.", 2) != absl::string_view::npos;
}

bool ListAllows(std::string_view list, absl::string_view name) {
  for (const absl::string_view element :
       absl::StrSplit(absl::string_view(list.data(), list.size()), ',')) {
    if (Allows(element, name)) return true;
  }
  return false;
}

std::string Gzip(const std::string& text, int level) {
  z_stream stream = {};
  constexpr int kGzipWindow = 15 + 16;
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    std::abort();
  }
  std::string coded(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // zlib never writes to its input; its type just lacks const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(coded.data());
  stream.avail_out = static_cast<uInt>(coded.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  coded.resize(stream.total_out);
  deflateEnd(&stream);
  return coded;
}

std::string Zstd(const std::string& text, int level) {
  std::string coded(ZSTD_compressBound(text.size()), '\0');
  const std::size_t bytes =
      ZSTD_compress(coded.data(), coded.size(), text.data(), text.size(), level);
  if (ZSTD_isError(bytes) != 0) std::abort();
  coded.resize(bytes);
  return coded;
}

}  // namespace

std::string EtagOf(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return absl::StrCat("\"", absl::Hex(hash.high64, absl::kZeroPad16),
                      absl::Hex(hash.low64, absl::kZeroPad16), "\"");
}

bool Matches(std::string_view if_none_match, std::string_view etag) {
  const auto trimmed = [](std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::string_view();
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
  };
  // Validators of this server have no commas, so the list can be split at every comma.
  while (!if_none_match.empty()) {
    const std::size_t comma = if_none_match.find(',');
    std::string_view one = trimmed(if_none_match.substr(0, comma));
    if (one == "*") return true;
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == etag) return true;
    if (comma == std::string_view::npos) return false;
    if_none_match.remove_prefix(comma + 1);
  }
  return false;
}

Coding CodingOf(std::string_view accept_encoding) {
  if (ListAllows(accept_encoding, "zstd")) return Coding::kZstd;
  if (ListAllows(accept_encoding, "gzip")) return Coding::kGzip;
  return Coding::kIdentity;
}

std::string_view NameOf(Coding coding) {
  switch (coding) {
    case Coding::kGzip:
      return "gzip";
    case Coding::kZstd:
      return "zstd";
    case Coding::kIdentity:
      break;
  }
  return "";
}

std::string Encode(const std::string& text, Coding coding, Effort effort) {
  const bool best = effort == Effort::kBest;
  switch (coding) {
    case Coding::kGzip:
      return Gzip(text, best ? 9 : 6);
    case Coding::kZstd:
      return Zstd(text, best ? 19 : 3);
    case Coding::kIdentity:
      break;
  }
  return text;
}

}  // namespace thalweg::http
