#include "tests/proto/web_vectors.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace thalweg {

void ExpectCurrentVectors(const std::string& name, const std::string& current) {
  const std::string path = THALWEG_SOURCE_DIR "/client/web/test/vectors/" + name;
  std::ifstream file(path);
  const std::string committed{std::istreambuf_iterator<char>(file), {}};
  if (committed == current) return;
  const std::string fresh = testing::TempDir() + name;
  std::ofstream(fresh) << current;
  ADD_FAILURE() << path << " is not what the C++ computes: if that is meant, copy " << fresh;
}

}  // namespace thalweg
