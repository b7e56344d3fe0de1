// Any answer of memcached. The first byte chooses the question, and the rest is the answer, after
// which the connection is closed. An answer is accepted as a whole or not at all.
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "server/cache/shared/memcached_server.h"
#include "tests/fuzz/target.h"

namespace {

using namespace thalweg::cache;  // NOLINT(google-build-using-namespace): a program of one file.

const std::string kKey = "thalweg:0";
// A socket buffers this many bytes, and our side reads them at once.
constexpr std::size_t kMaxAnswerBytes = 65'536;

void CheckOrAbort(bool holds) {
  if (!holds) std::abort();
}

// Our end of a connection. The other end has sent its whole answer.
std::unique_ptr<MemcachedConnection> Answering(std::string_view answer) {
  int ends[2];
  CheckOrAbort(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  const ssize_t sent = send(ends[1], answer.data(), answer.size(), MSG_NOSIGNAL);
  CheckOrAbort(sent == static_cast<ssize_t>(answer.size()));
  shutdown(ends[1], SHUT_WR);
  // If the other end were closed now, our request would fail. It is closed with the next call.
  static int last = -1;
  if (last >= 0) close(last);
  last = ends[1];
  return MemcachedConnection::Of(ends[0]);
}

void CheckGet(MemcachedConnection& connection, std::string_view answer) {
  const auto value = connection.Get(kKey);
  if (!value.ok()) return;
  if (!value->has_value()) return CheckOrAbort(answer == "END\r\n");
  // Flags may be any number, and numbers may have leading zeros.
  const std::string end = absl::StrCat("\r\n", **value, "\r\nEND\r\n");
  CheckOrAbort(answer.starts_with("VALUE thalweg:0 ") && answer.ends_with(end));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxAnswerBytes) return 0;
  const std::string_view answer(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto connection = Answering(answer);
  connection->set_deadline(std::chrono::steady_clock::now() + std::chrono::hours(1));
  switch (data[0] % 3) {
    case 0:
      CheckGet(*connection, answer);
      break;
    case 1:
      if (connection->Set(kKey, "value").ok()) CheckOrAbort(answer == "STORED\r\n");
      break;
    default:
      if (connection->Delete(kKey).ok()) {
        CheckOrAbort(answer == "DELETED\r\n" || answer == "NOT_FOUND\r\n");
      }
  }
  return 0;
}
