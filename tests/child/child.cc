#include "tests/child/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace thalweg::child {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<std::string> own_words = words;
  std::vector<std::string> environment = variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  const int error = posix_spawn(&pid_, words.front().c_str(), &actions, nullptr,
                                Pointers(own_words).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    std::fprintf(stderr, "start %s: there is no such program\n", words.front().c_str());
    std::abort();
  }
  reader_ = std::thread([this, end = ends[0]] { ReadAll(end); });
}

Child::~Child() {
  if (!waited_) Signal(SIGTERM);
  Await();
}

void Child::Signal(int number) const { kill(pid_, number); }

void Child::Stop() const {
  Signal(SIGSTOP);
  waitpid(pid_, nullptr, WUNTRACED);
}

void Child::Kill() {
  if (!waited_) Signal(SIGKILL);
  Await();
}

void Child::ReadAll(int pipe) {
  std::array<char, 4096> part;
  ssize_t n = 0;
  while ((n = read(pipe, part.data(), part.size())) > 0) {
    const std::lock_guard lock(mutex_);
    text_.append(part.data(), static_cast<std::size_t>(n));
    changed_.notify_all();
  }
  close(pipe);
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::string Child::AwaitText(const std::string& text) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::minutes(2),
                    [&] { return ended_ || text_.find(text) != std::string::npos; });
  return text_;
}

std::string Child::ReadLine() {
  std::unique_lock lock(mutex_);
  std::size_t end = 0;
  changed_.wait(lock, [&] {
    end = text_.find('\n', read_);
    return ended_ || end != std::string::npos;
  });
  if (end == std::string::npos) return "";
  std::string line = text_.substr(read_, end - read_);
  read_ = end + 1;
  return line;
}

bool Child::is_running() {
  const std::lock_guard lock(mutex_);
  return !ended_;
}

Outcome Child::Await() {
  if (!waited_) {
    reader_.join();
    int status = 0;
    waitpid(pid_, &status, 0);
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    waited_ = true;
  }
  return {code_, text_};
}

Outcome RunToEnd(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
  return Child(words, variables).Await();
}

}  // namespace thalweg::child
