#include "tests/cache/memcached_child.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace thalweg::cache {

MemcachedChild::MemcachedChild() { Start(-1); }

// With -1, memcached picks a port and writes it to a file. The file appears when it listens.
void MemcachedChild::Start(int port) {
  static int count = 0;
  const std::string file =
      testing::TempDir() + "memcached-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  process_ = std::make_unique<child::Child>(
      std::vector<std::string>{THALWEG_MEMCACHED, "-l", "127.0.0.1", "-p", std::to_string(port),
                               "-U", "0", "-t", "1", "-m", "64", "-u", getpwuid(getuid())->pw_name},
      std::vector<std::string>{"MEMCACHED_PORT_FILENAME=" + file});
  std::string line;
  while (line.rfind("TCP INET: ", 0) != 0) {
    std::this_thread::yield();
    std::ifstream stream(file);
    std::getline(stream, line);
  }
  std::remove(file.c_str());
  address_ = {"127.0.0.1", std::stoi(line.substr(line.find(": ") + 2))};
}

void MemcachedChild::Restart() {
  process_->Kill();
  Start(address_.port);
}

void MemcachedChild::Hang() { process_->Stop(); }
void MemcachedChild::Continue() { process_->Signal(SIGCONT); }

}  // namespace thalweg::cache
