#include "proto/command_line/run.h"

#include <cstdio>
#include <new>
#include <system_error>

#include "proto/command_line/parse.h"

namespace thalweg::command_line {
namespace {

// What to do about an error of the system.
const char* RemedyOf(const std::error_code& code) {
  // What makes threads says this, for want of memory too.
  if (code == std::errc::resource_unavailable_try_again) {
    return "no more threads can be made; raise the limit of processes (ulimit -u, TasksMax) or of "
           "memory (ulimit -v), or set fewer --threads";
  }
  if (code == std::errc::too_many_files_open || code == std::errc::too_many_files_open_in_system) {
    return "no more files can be opened; raise the limit of open files (ulimit -n, LimitNOFILE)";
  }
  if (code == std::errc::not_enough_memory) {
    return "no more memory; raise its limit (ulimit -v, MemoryMax)";
  }
  return "the system refused an operation";
}

}  // namespace

// Prints without allocating: there may be no memory.
int RunMain(const std::string& program, absl::FunctionRef<int()> run) {
  try {
    return run();
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s: %s (%s)\n", program.c_str(), RemedyOf(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(),
                 RemedyOf(std::make_error_code(std::errc::not_enough_memory)));
  }
  return kFailure;
}

}  // namespace thalweg::command_line
