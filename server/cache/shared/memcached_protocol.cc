#include "server/cache/shared/memcached_protocol.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cache {
namespace {

// The longest valid line is VALUE with a key and numbers.
constexpr std::size_t kMaxLineBytes = 512;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

absl::Status Nonsense() { return absl::UnavailableError("the answer is not memcached's protocol"); }

// The length in a line "VALUE <key> <flags> <length>".
std::optional<std::size_t> ParseValueLine(const std::string& line, std::string_view key) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  std::uint32_t flags = 0;
  std::uint32_t length = 0;
  const bool good = words.size() == 4 && words[0] == "VALUE" && words[1] == View(key) &&
                    absl::SimpleAtoi(words[2], &flags) && absl::SimpleAtoi(words[3], &length) &&
                    length <= kMaxValueBytes;
  if (!good) return std::nullopt;
  return length;
}

// Sends a request whose answer must be exactly one line.
absl::StatusOr<std::string> Ask(TcpSocket& socket, const std::string& request, Deadline deadline) {
  THALWEG_RETURN_IF_ERROR(socket.Send(request, deadline));
  THALWEG_ASSIGN_OR_RETURN(std::string line, socket.ReadLine(kMaxLineBytes, deadline));
  if (socket.has_rest()) return Nonsense();
  return line;
}

}  // namespace

absl::StatusOr<std::optional<std::string>> MemcachedGet(TcpSocket& socket, std::string_view key,
                                                        Deadline deadline) {
  THALWEG_RETURN_IF_ERROR(socket.Send(absl::StrCat("get ", View(key), "\r\n"), deadline));
  THALWEG_ASSIGN_OR_RETURN(const std::string line, socket.ReadLine(kMaxLineBytes, deadline));
  std::optional<std::string> value;
  if (line != "END") {
    const std::optional<std::size_t> length = ParseValueLine(line, key);
    if (!length) return Nonsense();
    THALWEG_ASSIGN_OR_RETURN(value, socket.ReadBytes(*length, deadline));
    constexpr std::string_view kEnd = "\r\nEND\r\n";
    THALWEG_ASSIGN_OR_RETURN(const std::string end, socket.ReadBytes(kEnd.size(), deadline));
    if (end != kEnd) return Nonsense();
  }
  if (socket.has_rest()) return Nonsense();
  return value;
}

absl::Status MemcachedSet(TcpSocket& socket, std::string_view key, std::string_view value,
                          Deadline deadline) {
  std::string request = absl::StrCat("set ", View(key), " 0 0 ", value.size(), "\r\n");
  request.reserve(request.size() + value.size() + 2);
  request.append(value);
  request.append("\r\n");
  THALWEG_ASSIGN_OR_RETURN(const std::string line, Ask(socket, request, deadline));
  if (line == "STORED") return absl::OkStatus();
  if (line == "NOT_STORED" || absl::StartsWith(line, "SERVER_ERROR ")) {
    return absl::ResourceExhaustedError(line);
  }
  return Nonsense();
}

absl::Status MemcachedDelete(TcpSocket& socket, std::string_view key, Deadline deadline) {
  THALWEG_ASSIGN_OR_RETURN(const std::string line,
                           Ask(socket, absl::StrCat("delete ", View(key), "\r\n"), deadline));
  return line == "DELETED" || line == "NOT_FOUND" ? absl::OkStatus() : Nonsense();
}

}  // namespace thalweg::cache
