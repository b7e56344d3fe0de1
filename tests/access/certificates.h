// Certificates for a test, of an authority that only the test trusts.
#pragma once

#include <memory>
#include <string>

namespace thalweg::access {

// Both in PEM.
struct TestCertificate {
  std::string certificate;
  std::string key;
};

// Each authority has its own root.
class TestAuthority {
 public:
  TestAuthority();
  ~TestAuthority();

  // The root's certificate.
  const std::string& root() const { return root_.certificate; }
  // A certificate for 127.0.0.1 and localhost. It is valid between these two times, in seconds from
  // now.
  TestCertificate Issue(const std::string& name, long from_s = -3'600, long to_s = 3'600) const;

 private:
  struct Keys;

  std::unique_ptr<Keys> keys_;
  TestCertificate root_;
};

}  // namespace thalweg::access
