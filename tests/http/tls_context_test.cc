// TLS between a context of the server and OpenSSL's client, in memory.
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <array>
#include <memory>
#include <string>

#include "server/access/tls_identity.h"
#include "server/http/http_server.h"
#include "tests/access/certificates.h"

namespace thalweg::http {
namespace {

using access::Freed;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL_SESSION, Freed<SSL_SESSION_free>>;
using Ssl = std::unique_ptr<SSL, Freed<SSL_free>>;

struct Handshake {
  bool done = false;
  bool resumed = false;
  Session session;
};

class TlsContextTest : public testing::TestWithParam<int> {
 protected:
  std::shared_ptr<boost::asio::ssl::context> ContextOf(const std::string& client_roots) const {
    return MakeTlsContext({.certificate_chain = server_.certificate,
                           .private_key = server_.key,
                           .client_roots = client_roots});
  }

  // A client's context that allows only this version of TLS.
  static Context ClientOf(const access::TestCertificate& shown) {
    Context client(SSL_CTX_new(TLS_client_method()));
    EXPECT_EQ(SSL_CTX_set_min_proto_version(client.get(), GetParam()), 1);
    EXPECT_EQ(SSL_CTX_set_max_proto_version(client.get(), GetParam()), 1);
    if (shown.key.empty()) return client;
    const access::Bio certificate(
        BIO_new_mem_buf(shown.certificate.data(), static_cast<int>(shown.certificate.size())));
    const access::Bio key(BIO_new_mem_buf(shown.key.data(), static_cast<int>(shown.key.size())));
    const access::Certificate parsed(
        PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
    const access::Key parsed_key(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
    EXPECT_EQ(SSL_CTX_use_certificate(client.get(), parsed.get()), 1);
    EXPECT_EQ(SSL_CTX_use_PrivateKey(client.get(), parsed_key.get()), 1);
    return client;
  }

  // A handshake, and a byte from the server: with it TLS 1.3 sends its sessions.
  static Handshake Shake(boost::asio::ssl::context& server_context, SSL_CTX* client_context,
                         SSL_SESSION* session = nullptr) {
    const Ssl server(SSL_new(server_context.native_handle()));
    const Ssl client(SSL_new(client_context));
    BIO* ends[2] = {};
    EXPECT_EQ(BIO_new_bio_pair(&ends[0], 1 << 16, &ends[1], 1 << 16), 1);
    SSL_set_bio(server.get(), ends[0], ends[0]);
    SSL_set_bio(client.get(), ends[1], ends[1]);
    if (session != nullptr) {
      EXPECT_EQ(SSL_set_session(client.get(), session), 1);
    }
    bool accepted = false;
    bool connected = false;
    for (int turn = 0; turn < 8; ++turn) {
      connected = connected || SSL_connect(client.get()) == 1;
      accepted = accepted || SSL_accept(server.get()) == 1;
    }
    ERR_clear_error();
    char byte = 'x';
    if (!accepted || !connected || SSL_write(server.get(), &byte, 1) != 1) return {};
    if (SSL_read(client.get(), &byte, 1) != 1) return {};
    // Without a proper shutdown, OpenSSL would drop the session.
    for (const Ssl* end : {&server, &client}) {
      SSL_set_shutdown(end->get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    }
    return {.done = true,
            .resumed = SSL_session_reused(client.get()) == 1,
            .session = Session(SSL_get1_session(client.get()))};
  }

  const access::TestAuthority authority_;
  const access::TestAuthority clients_;
  const access::TestCertificate server_ = authority_.Issue("server");
};

TEST_P(TlsContextTest, SessionsAreResumed) {
  for (const std::string& roots : {std::string(), clients_.root()}) {
    const auto context = ContextOf(roots);
    ASSERT_NE(context, nullptr);
    const Context client = ClientOf(clients_.Issue("known"));
    Handshake last = Shake(*context, client.get());
    ASSERT_TRUE(last.done);
    EXPECT_FALSE(last.resumed);
    for (int k = 0; k < 3; ++k) {
      last = Shake(*context, client.get(), last.session.get());
      ASSERT_TRUE(last.done) << (roots.empty() ? "without" : "with") << " roots for clients";
      EXPECT_TRUE(last.resumed);
    }
  }
}

TEST_P(TlsContextTest, SessionsEndWithTheirContext) {
  const Context client = ClientOf(clients_.Issue("known"));
  const auto first = ContextOf(clients_.root());
  const Handshake before = Shake(*first, client.get());
  ASSERT_TRUE(before.done);
  const auto next = ContextOf(clients_.root());
  const Handshake after = Shake(*next, client.get(), before.session.get());
  EXPECT_TRUE(after.done);
  EXPECT_FALSE(after.resumed);
}

// If its root is no longer trusted, a session is not resumed, even with the same ticket keys. In
// the twin, with the same roots, it is resumed.
TEST_P(TlsContextTest, SessionsEndWithTheirRoots) {
  std::array<unsigned char, 80> keys{};
  const Context client = ClientOf(clients_.Issue("known"));
  const auto context_of = [&](const std::string& roots) {
    auto context = ContextOf(roots);
    EXPECT_EQ(SSL_CTX_set_tlsext_ticket_keys(context->native_handle(), keys.data(), keys.size()),
              1);
    return context;
  };
  const Handshake before = Shake(*context_of(clients_.root()), client.get());
  ASSERT_TRUE(before.done);
  const Handshake twin = Shake(*context_of(clients_.root()), client.get(), before.session.get());
  EXPECT_TRUE(twin.done);
  EXPECT_TRUE(twin.resumed);
  // The server asks for the client's certificate again, and does not trust it.
  EXPECT_FALSE(
      Shake(*context_of(access::TestAuthority().root()), client.get(), before.session.get()).done);
}

TEST_P(TlsContextTest, UnknownClientsAreRefused) {
  const auto context = ContextOf(clients_.root());
  EXPECT_FALSE(Shake(*context, ClientOf({}).get()).done);
  EXPECT_FALSE(Shake(*context, ClientOf(access::TestAuthority().Issue("stranger")).get()).done);
}

INSTANTIATE_TEST_SUITE_P(Tls, TlsContextTest, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& version) {
                           return version.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

}  // namespace
}  // namespace thalweg::http
