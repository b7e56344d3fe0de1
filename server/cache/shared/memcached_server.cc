#include "server/cache/shared/memcached_server.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/completion_condition.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/error_code.hpp>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cache {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// The longest valid line is VALUE with a key and numbers.
constexpr std::size_t kMaxLineBytes = 512;

absl::Status Nonsense() { return absl::UnavailableError("the answer is not memcached's protocol"); }

absl::Status Failure(const char* operation, const error_code& error) {
  return absl::UnavailableError(absl::StrCat(operation, ": ", error.message()));
}

// The length in a line "VALUE <key> <flags> <length>".
std::optional<std::size_t> ParseValueLine(const std::string& line, const std::string& key) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  std::uint32_t flags = 0;
  std::uint32_t length = 0;
  const bool good = words.size() == 4 && words[0] == "VALUE" && words[1] == key &&
                    absl::SimpleAtoi(words[2], &flags) && absl::SimpleAtoi(words[3], &length) &&
                    length <= kMaxValueBytes;
  if (!good) return std::nullopt;
  return length;
}

}  // namespace

absl::StatusOr<std::unique_ptr<MemcachedConnection>> MemcachedConnection::Connect(
    const wire::HostPort& address, Deadline deadline) {
  std::unique_ptr<MemcachedConnection> connection(new MemcachedConnection());
  error_code error;
  // At once, not asynchronously: Asio would use a thread, and wait for that anyway. Addresses count
  // even if this machine seems to have no network of their kind.
  const auto addresses = tcp::resolver(connection->context_)
                             .resolve(address.host, std::to_string(address.port),
                                      tcp::resolver::numeric_service, error);
  if (error) return Failure("resolve", error);
  connection->set_deadline(deadline);
  tcp::socket& socket = connection->socket_;
  THALWEG_RETURN_IF_ERROR(connection->Do(
      "connect", [&](auto done) { asio::async_connect(socket, addresses, std::move(done)); }));
  // Each request is sent whole, so waiting to combine packets would only delay it.
  socket.set_option(tcp::no_delay(true), error);
  return connection;
}

std::unique_ptr<MemcachedConnection> MemcachedConnection::Of(int descriptor) {
  std::unique_ptr<MemcachedConnection> connection(new MemcachedConnection());
  error_code error;
  connection->socket_.assign(tcp::v4(), descriptor, error);
  return connection;
}

absl::StatusOr<std::optional<std::string>> MemcachedConnection::Get(const std::string& key) {
  THALWEG_ASSIGN_OR_RETURN(const std::string line, Ask(absl::StrCat("get ", key, "\r\n")));
  if (line == "END" && received_.empty()) return std::nullopt;
  const std::optional<std::size_t> length = ParseValueLine(line, key);
  if (!length) return Nonsense();
  constexpr std::string_view kEnd = "\r\nEND\r\n";
  const std::size_t expected = *length + kEnd.size();
  // Room for one byte more shows whether the answer is too long.
  received_.reserve(expected + 1);
  if (received_.size() < expected) {
    THALWEG_RETURN_IF_ERROR(Do("receive", [&](auto done) {
      asio::async_read(socket_, asio::dynamic_buffer(received_),
                       asio::transfer_at_least(expected - received_.size()), std::move(done));
    }));
  }
  if (received_.size() != expected || !received_.ends_with(kEnd)) return Nonsense();
  received_.resize(*length);
  return std::exchange(received_, {});
}

absl::Status MemcachedConnection::Set(const std::string& key, const std::string& value) {
  THALWEG_ASSIGN_OR_RETURN(
      const std::string line,
      Ask(absl::StrCat("set ", key, " 0 0 ", value.size(), "\r\n", value, "\r\n")));
  if (!received_.empty()) return Nonsense();
  if (line == "STORED") return absl::OkStatus();
  if (line == "NOT_STORED" || absl::StartsWith(line, "SERVER_ERROR ")) {
    return absl::ResourceExhaustedError(line);
  }
  return Nonsense();
}

absl::Status MemcachedConnection::Delete(const std::string& key) {
  THALWEG_ASSIGN_OR_RETURN(const std::string line, Ask(absl::StrCat("delete ", key, "\r\n")));
  const bool good = received_.empty() && (line == "DELETED" || line == "NOT_FOUND");
  return good ? absl::OkStatus() : Nonsense();
}

absl::StatusOr<std::string> MemcachedConnection::Ask(const std::string& request) {
  THALWEG_RETURN_IF_ERROR(Do("send", [&](auto done) {
    asio::async_write(socket_, asio::buffer(request), std::move(done));
  }));
  THALWEG_RETURN_IF_ERROR(Do("receive", [&](auto done) {
    asio::async_read_until(socket_, asio::dynamic_buffer(received_, kMaxLineBytes + 2), "\r\n",
                           std::move(done));
  }));
  const std::size_t end = received_.find("\r\n");
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 2);
  return line;
}

template <typename Start>
absl::Status MemcachedConnection::Do(const char* operation, Start start) {
  error_code result;
  start([&result](const error_code& error, const auto&) { result = error; });
  context_.restart();
  context_.run_until(deadline_);
  if (!context_.stopped()) {
    // The operation still refers to our variables, so it must end before we return.
    error_code ignored;
    socket_.close(ignored);
    context_.run();
    return absl::DeadlineExceededError("no answer in time");
  }
  if (!result) return absl::OkStatus();
  if (result == asio::error::eof) {
    return absl::UnavailableError("the server closed the connection");
  }
  // read_until found no end of a line in all the bytes that it may receive.
  if (result == asio::error::not_found) {
    return absl::UnavailableError(absl::StrCat("read line: more than ", kMaxLineBytes, " bytes"));
  }
  return Failure(operation, result);
}

MemcachedServer::MemcachedServer(wire::HostPort address, const MemcachedOptions& options,
                                 std::function<Clock::time_point()> now)
    : address_(std::move(address)), options_(options), now_(std::move(now)) {}

MemcachedServer::~MemcachedServer() = default;

bool MemcachedServer::Allow() {
  const std::lock_guard lock(mutex_);
  if (failures_ < options_.breaker.failures) return true;
  if (probing_ || now_() < retry_at_) return false;
  probing_ = true;
  return true;
}

absl::StatusOr<std::optional<std::string>> MemcachedServer::Get(const std::string& key) {
  std::optional<std::string> value;
  THALWEG_RETURN_IF_ERROR(Do([&](MemcachedConnection& connection) -> absl::Status {
    THALWEG_ASSIGN_OR_RETURN(value, connection.Get(key));
    return absl::OkStatus();
  }));
  return value;
}

absl::Status MemcachedServer::Set(const std::string& key, const std::string& value) {
  return Do([&](MemcachedConnection& connection) { return connection.Set(key, value); });
}

absl::Status MemcachedServer::Delete(const std::string& key) {
  return Do([&](MemcachedConnection& connection) { return connection.Delete(key); });
}

absl::Status MemcachedServer::Do(absl::FunctionRef<absl::Status(MemcachedConnection&)> call) {
  const Deadline deadline = std::chrono::steady_clock::now() + options_.timeout;
  std::unique_ptr<MemcachedConnection> connection = TakeIdle();
  const absl::Status status = wire::Guarded("call", [&]() -> absl::Status {
    if (connection == nullptr) {
      THALWEG_ASSIGN_OR_RETURN(connection, MemcachedConnection::Connect(address_, deadline));
    }
    connection->set_deadline(deadline);
    return call(*connection);
  });
  if (!status.ok() && !absl::IsResourceExhausted(status)) return Failed(status);
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  probing_ = false;
  // A server without room may close the connection, so it is not kept.
  if (status.ok()) idle_.push_back(std::move(connection));
  return status;
}

std::unique_ptr<MemcachedConnection> MemcachedServer::TakeIdle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return nullptr;
  std::unique_ptr<MemcachedConnection> connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

absl::Status MemcachedServer::Failed(const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  // The idle connections are broken like this one.
  idle_.clear();
  last_failure_ = absl::UnavailableError(
      absl::StrCat("memcached ", name(), ": ", std::string(status.message())));
  // Calls that began before the breaker opened may fail later; they do not prolong the pause.
  if (failures_ < options_.breaker.failures || probing_) {
    failures_ = std::min(failures_ + 1, options_.breaker.failures);
    retry_at_ = now_() + options_.breaker.pause;
  }
  probing_ = false;
  return last_failure_;
}

absl::Status MemcachedServer::health() const {
  const std::lock_guard lock(mutex_);
  return failures_ < options_.breaker.failures ? absl::OkStatus() : last_failure_;
}

}  // namespace thalweg::cache
