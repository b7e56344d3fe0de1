// Tests of `thalweg bake`: a server in the test's process, and a folder for the files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/access/temporary_folder.h"
#include "tests/client/fake_server.h"
#include "tests/client/shell.h"

namespace thalweg::client_test {

class BakeFixture : public testing::Test {
 protected:
  // `common`: the options of every bake, such as "--world alpine --level 3".
  explicit BakeFixture(std::string common) : common_(std::move(common)) {}

  std::string Path(const std::string& name) const { return folder_.Path(name); }
  Outcome Run(const std::string& arguments) const {
    return Shell(THALWEG " bake " + common_ + " --server " + server_.address() + " " + arguments);
  }
  bool IsFolderEmpty() const { return std::filesystem::is_empty(folder_.path()); }

  FakeServer server_;
  access::TemporaryFolder folder_;

 private:
  const std::string common_;
};

}  // namespace thalweg::client_test
