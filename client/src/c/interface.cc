#include "client/src/c/interface.h"

#include <string>

namespace thalweg {
namespace {

thread_local std::string last_error;

}  // namespace

thalweg_status Return(const absl::Status& status) {
  last_error = std::string(status.message());
  return static_cast<thalweg_status>(status.code());
}

thalweg_status Refuse(const char* function) {
  return Return(absl::InvalidArgumentError(std::string(function) +
                                           ": invalid argument: expected a pointer, got null"));
}

}  // namespace thalweg

const char* thalweg_error(void) { return thalweg::last_error.c_str(); }

const char* thalweg_version(void) { return THALWEG_VERSION; }
