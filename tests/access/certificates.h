// Certificates made for a test, of an authority that is trusted only there.
#pragma once

#include <memory>
#include <string>

namespace thalweg::access {

// PEM texts.
struct TestCertificate {
  std::string certificate;
  std::string key;
};

// A root of its own each.
class TestAuthority {
 public:
  TestAuthority();
  ~TestAuthority();

  // The root's certificate.
  const std::string& root() const { return root_.certificate; }
  // A certificate for 127.0.0.1 and localhost, good from that many seconds from now on and until as
  // many.
  TestCertificate Issue(const std::string& name, long from_s = -3'600, long to_s = 3'600) const;

 private:
  struct Keys;

  std::unique_ptr<Keys> keys_;
  TestCertificate root_;
};

}  // namespace thalweg::access
