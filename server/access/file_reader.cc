#include "server/access/file_reader.h"

#include <system_error>
#include <thread>
#include <utility>

namespace thalweg::access {
namespace {

constexpr int kMaxThreads = 16;
// An editor that writes in place empties the file first. A file that is still empty after this time
// is meant to be.
constexpr std::chrono::milliseconds kEmptyTime{100};

absl::StatusOr<std::string> ReadSettled(const ReadFile& read, const std::string& path) {
  absl::StatusOr<std::string> text = read(path);
  if (!text.ok() || !text->empty()) return text;
  std::this_thread::sleep_for(kEmptyTime);
  return read(path);
}

FilesFound LookAt(const std::vector<std::string>& files, const ReadFile& read,
                  const std::vector<FileStamp>& known, std::atomic<std::size_t>& at) {
  FilesFound found;
  for (std::size_t k = 0; k < files.size(); ++k) {
    at = k;
    found.stamps.push_back(StampOf(files[k]));
  }
  if (found.stamps == known) return found;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < files.size(); ++k) {
    at = k;
    absl::StatusOr<std::string> text = ReadSettled(read, files[k]);
    if (!text.ok()) {
      found.texts = text.status();
      return found;
    }
    texts.push_back(*std::move(text));
  }
  found.texts = std::move(texts);
  return found;
}

}  // namespace

FileReader::FileReader(std::vector<std::string> files, ReadFile read)
    : files_(std::move(files)), read_(std::move(read)) {}

void FileReader::Begin(std::vector<FileStamp> known) {
  if (*threads_ >= kMaxThreads) return;
  std::promise<FilesFound> promise;
  std::future<FilesFound> found = promise.get_future();
  auto at = std::make_shared<std::atomic<std::size_t>>(0);
  ++*threads_;
  try {
    std::thread([files = files_, read = read_, known = std::move(known), at, threads = threads_,
                 promise = std::move(promise)]() mutable {
      FilesFound result = LookAt(files, read, known, *at);
      --*threads;
      promise.set_value(std::move(result));
    }).detach();
  } catch (const std::system_error&) {
    // The system has no thread left; the next look tries again.
    --*threads_;
    return;
  }
  at_ = std::move(at);
  found_ = std::move(found);
}

std::optional<FilesFound> FileReader::Await(std::chrono::milliseconds patience) {
  if (!found_.valid() || found_.wait_for(patience) != std::future_status::ready) {
    return std::nullopt;
  }
  return found_.get();
}

}  // namespace thalweg::access
