#include "server/cache/shared/memcached_server.h"

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

bool CircuitBreaker::Allow() {
  const std::lock_guard lock(mutex_);
  if (failures_ < options_.failures) return true;
  if (probing_ || now_() < retry_at_) return false;
  probing_ = true;
  return true;
}

void CircuitBreaker::Succeeded() {
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  probing_ = false;
}

void CircuitBreaker::Failed() {
  const std::lock_guard lock(mutex_);
  // Calls that began before the breaker opened may fail later; they do not prolong the pause.
  if (failures_ >= options_.failures && !probing_) return;
  probing_ = false;
  if (failures_ < options_.failures) ++failures_;
  if (failures_ == options_.failures) retry_at_ = now_() + options_.pause;
}

bool CircuitBreaker::closed() const {
  const std::lock_guard lock(mutex_);
  return failures_ < options_.failures;
}

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

MemcachedServer::MemcachedServer(wire::HostPort address, const MemcachedOptions& options)
    : address_(std::move(address)),
      options_(options),
      name_(wire::TextOf(address_)),
      breaker_(options.breaker) {}

absl::StatusOr<std::optional<std::string>> MemcachedServer::Get(std::string_view key) {
  std::optional<std::string> value;
  THALWEG_RETURN_IF_ERROR(Do([&](TcpSocket& socket, Deadline deadline) -> absl::Status {
    THALWEG_ASSIGN_OR_RETURN(value, MemcachedGet(socket, key, deadline));
    return absl::OkStatus();
  }));
  return value;
}

absl::Status MemcachedServer::Set(std::string_view key, std::string_view value) {
  return Do([&](TcpSocket& socket, Deadline deadline) {
    return MemcachedSet(socket, key, value, deadline);
  });
}

absl::Status MemcachedServer::Delete(std::string_view key) {
  return Do(
      [&](TcpSocket& socket, Deadline deadline) { return MemcachedDelete(socket, key, deadline); });
}

absl::Status MemcachedServer::Do(Call call) {
  const Deadline deadline = std::chrono::steady_clock::now() + options_.timeout;
  absl::StatusOr<TcpSocket> socket = Take(deadline);
  if (!socket.ok()) return Failed(socket.status());
  absl::Status status = call(*socket, deadline);
  if (!status.ok() && !absl::IsResourceExhausted(status)) return Failed(status);
  breaker_.Succeeded();
  // A server without room may close the connection, so it is not kept.
  if (!status.ok()) return status;
  const std::lock_guard lock(mutex_);
  idle_.push_back(*std::move(socket));
  return status;
}

absl::StatusOr<TcpSocket> MemcachedServer::Take(Deadline deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      TcpSocket socket = std::move(idle_.back());
      idle_.pop_back();
      return socket;
    }
  }
  return TcpSocket::Connect(address_, deadline);
}

absl::Status MemcachedServer::Failed(const absl::Status& status) {
  breaker_.Failed();
  const std::lock_guard lock(mutex_);
  // The idle connections are broken like this one.
  idle_.clear();
  last_failure_ = absl::UnavailableError(
      absl::StrCat("memcached ", name_, ": ", std::string(status.message())));
  return last_failure_;
}

absl::Status MemcachedServer::health() const {
  if (breaker_.closed()) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

}  // namespace thalweg::cache
