#include "server/commands/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "server/commands/config_flags.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::commands {
namespace {

using google::protobuf::FieldDescriptor;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const google::protobuf::Descriptor& Fields() { return *ServerConfig::descriptor(); }

class ConfigTest : public testing::Test {
 protected:
  std::string ErrorOf(const std::string& text) const {
    const auto config = ReadConfig(folder_.Put("config", text));
    EXPECT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument) << text;
    return std::string(config.status().message());
  }

  const access::TemporaryFolder folder_;
};

// The effective configuration of a command line.
absl::StatusOr<ServerConfig> Parse(std::vector<std::string> words) {
  CLI::App app;
  const auto flags = AddConfigFlags(app);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return EffectiveConfig(*flags);
}

// Sets a field to an allowed value, other than its default if it has one.
void SetSomething(ServerConfig& config, const FieldDescriptor& field, std::mt19937_64& random) {
  const auto& reflection = *ServerConfig::GetReflection();
  const Setting& known = SettingOf(field);
  const auto at = [&](int size) {
    return static_cast<int>(random() % static_cast<unsigned>(size));
  };
  std::string choice;
  if (known.choices_size() > 0) choice = known.choices(at(known.choices_size()));
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      reflection.SetString(&config, &field, choice.empty() ? "a \"b\"\n\xc3\xa9" : choice);
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      reflection.SetUInt32(&config, &field,
                           choice.empty() ? static_cast<std::uint32_t>(known.max()) - 1U
                                          : static_cast<std::uint32_t>(std::stoul(choice)));
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      reflection.SetDouble(&config, &field, known.max() / 7);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      reflection.SetBool(&config, &field, random() % 2 == 0);
      break;
    default:
      FAIL() << field.name() << " has a type that the configuration does not know";
  }
}

TEST_F(ConfigTest, EveryFieldIsDocumentedAndBounded) {
  for (int k = 0; k < Fields().field_count(); ++k) {
    const FieldDescriptor& field = *Fields().field(k);
    const Setting& known = SettingOf(field);
    EXPECT_GT(known.help().size(), 15U) << field.name();
    EXPECT_FALSE(known.group().empty()) << field.name();
    EXPECT_FALSE(known.help().ends_with(".")) << field.name();
    const bool number = field.cpp_type() == FieldDescriptor::CPPTYPE_UINT32 ||
                        field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
    EXPECT_TRUE(!number || known.has_max() || known.choices_size() > 0) << field.name();
    const bool flag = field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL;
    EXPECT_EQ(known.form().empty(), flag || known.choices_size() > 0) << field.name();
    EXPECT_TRUE(CheckField(ServerConfig(), field).ok()) << field.name();
  }
}

TEST_F(ConfigTest, ReadsBackWhatItPrints) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    ServerConfig config;
    for (int k = 0; k < Fields().field_count(); ++k) {
      if (random() % 2 == 0) SetSomething(config, *Fields().field(k), random);
    }
    const std::string text = PrintConfig(config);
    const auto read = ReadConfig(folder_.Put("config", text));
    ASSERT_TRUE(read.ok()) << "seed " << seed << ": " << read.status();
    EXPECT_EQ(PrintConfig(*read), text) << "seed " << seed;
    for (int k = 0; k < Fields().field_count(); ++k) {
      EXPECT_EQ(TextOf(*read, *Fields().field(k)), TextOf(config, *Fields().field(k)));
      EXPECT_TRUE(read->GetReflection()->HasField(*read, Fields().field(k)));
    }
  }
}

TEST_F(ConfigTest, NamesTheLineOfAMistake) {
  EXPECT_THAT(ErrorOf("# ours\nlisten: \"x\"\nfoo: 3\n"),
              testing::AllOf(HasSubstr(folder_.Path("config")), HasSubstr("line 3"),
                             HasSubstr("has no field 'foo'")));
  EXPECT_THAT(ErrorOf("listen: 4"), HasSubstr("line 1, column 9"));
  EXPECT_THAT(ErrorOf("\ncache_mb: \"1\""), HasSubstr("line 2"));
  EXPECT_THAT(ErrorOf("\n\nrequest_memory_mb: 191"),
              HasSubstr("line 3: invalid request_memory_mb: expected 192 to 1048576, got 191"));
  EXPECT_THAT(ErrorOf("drain_s: nan"),
              HasSubstr("line 1: invalid drain_s: expected 0 to 86400, got nan"));
  EXPECT_THAT(ErrorOf("threads: 1 threads: 2"), HasSubstr("line 1"));
  EXPECT_THAT(
      ErrorOf("log_level: \"loud\""),
      HasSubstr("invalid log_level: expected one of debug, info, warning, error, got \"loud\""));
  EXPECT_EQ(ErrorOf("foo: 1\nbar: 2").find('\n'), std::string::npos);
}

TEST_F(ConfigTest, FlagsWinOverTheFile) {
  const std::string file =
      folder_.Put("config", "cache_mb: 7 threads: 3 skip_check: true log_level: \"debug\"");
  const auto config = Parse({"--config", file, "--cache-mb", "9", "--skip-check=false"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->cache_mb(), 9U);
  EXPECT_EQ(config->threads(), 3U);
  EXPECT_FALSE(config->skip_check());
  EXPECT_EQ(config->log_level(), "debug");
  EXPECT_EQ(config->listen(), "127.0.0.1:7070");
  // A flag wins even if it gives the default.
  EXPECT_EQ(Parse({"--config", file, "--cache-mb", "128"})->cache_mb(), 128U);
}

TEST_F(ConfigTest, EveryFieldHasAFlag) {
  CLI::App app;
  const auto flags = AddConfigFlags(app);
  for (int k = 0; k < Fields().field_count(); ++k) {
    std::string name = "--" + Fields().field(k)->name();
    std::replace(name.begin(), name.end(), '_', '-');
    EXPECT_NE(app.get_option_no_throw(name), nullptr) << name;
  }
}

TEST_F(ConfigTest, FlagsAreChecked) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--cache-mb", "x"},
                                                {"--cache-mb", "-1"},
                                                {"--cache-mb", "99999999999"},
                                                {"--drain-s", "-1"},
                                                {"--drain-s", "nan"},
                                                {"--log-level", "loud"},
                                                {"--max-calls-per-caller", "-1"},
                                                {"--request-memory-mb", "191"},
                                                {"--request-memory-mb", "1048577"},
                                                {"--token", "x"}}) {
    EXPECT_FALSE(Parse(words).ok()) << words[0] << " " << words[1];
  }
}

TEST_F(ConfigTest, ARemovedSettingSaysWhatToUseInstead) {
  const auto& fields = *ServerConfig::descriptor();
  int numbers = 0;
  for (int k = 0; k < fields.reserved_range_count(); ++k) {
    numbers += fields.reserved_range(k)->end - fields.reserved_range(k)->start;
  }
  EXPECT_EQ(RemovedSettings().size(), static_cast<std::size_t>(numbers));
  for (const auto& [name, instead] : RemovedSettings()) {
    ASSERT_EQ(Fields().FindFieldByName(name), nullptr) << name;
    const std::string in_file = ErrorOf(absl::StrCat("threads: 1\n", name, ": 1"));
    EXPECT_THAT(in_file, HasSubstr("line 2"));
    EXPECT_THAT(in_file, EndsWith(absl::StrCat(": ", name, " was removed: ", instead)));
    const std::string flag = absl::StrCat("--", absl::StrReplaceAll(name, {{"_", "-"}}));
    const std::vector<std::vector<std::string>> ways = {
        {flag, "1"}, {flag}, {flag, "1", flag, "2"}, {flag + "=true", "--threads", "1"}};
    for (const std::vector<std::string>& words : ways) {
      const std::string on_command_line(Parse(words).status().message());
      EXPECT_THAT(on_command_line, StartsWith(absl::StrCat(flag, " was removed: ")));
    }
  }
}

TEST_F(ConfigTest, ARemovedFlagNamesOtherFlags) {
  EXPECT_EQ(Parse({"--raster-cache-mb", "32"}).status().message(),
            "--raster-cache-mb was removed: use --cache-mb, a quarter of which is for pictures and "
            "rasters of http");
  EXPECT_THAT(ErrorOf("raster_cache_mb: 32"), HasSubstr("use cache_mb, "));
}

TEST_F(ConfigTest, AddressesReadHostAndPort) {
  for (const char* name : {"listen", "http", "metrics_listen"}) {
    const std::string flag = absl::StrCat("--", absl::StrReplaceAll(name, {{"_", "-"}}));
    const auto config = Parse({flag, "7070", "--allow-insecure"});
    EXPECT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument) << flag;
    EXPECT_THAT(std::string(config.status().message()),
                StartsWith(absl::StrCat("invalid ", name, ": expected HOST:PORT")));
    EXPECT_TRUE(Parse({flag, "[::1]:0"}).ok()) << flag;
  }
}

TEST_F(ConfigTest, ListeningOnTheNetworkNeedsAGuard) {
  for (const char* address : {"0.0.0.0:7070", "[::]:0", "192.0.2.1:1", "example.org:1"}) {
    const auto open = Parse({"--listen", address});
    EXPECT_EQ(open.status().code(), absl::StatusCode::kInvalidArgument) << address;
    EXPECT_THAT(std::string(open.status().message()), HasSubstr("allow_insecure"));
    EXPECT_TRUE(Parse({"--listen", address, "--allow-insecure", "--allow-direct"}).ok());
    EXPECT_TRUE(Parse({"--listen", address, "--tokens", "t", "--allow-direct"}).ok());
    EXPECT_TRUE(
        Parse({"--listen", address, "--tls-cert", "c", "--tls-key", "k", "--allow-direct"}).ok());
  }
  EXPECT_TRUE(Parse({"--listen", "127.0.0.1:7070"}).ok());
}

TEST_F(ConfigTest, GrpcOnTheNetworkNeedsAProxy) {
  const std::vector<std::vector<std::string>> guards = {
      {"--allow-insecure"}, {"--tokens", "t"}, {"--tls-cert", "c", "--tls-key", "k"}};
  for (std::vector<std::string> words : guards) {
    words.insert(words.end(), {"--listen", "0.0.0.0:7070"});
    const auto direct = Parse(words);
    EXPECT_EQ(direct.status().code(), absl::StatusCode::kInvalidArgument) << words[0];
    EXPECT_THAT(
        std::string(direct.status().message()),
        StartsWith("other machines can reach 0.0.0.0:7070, and trusted_proxies is empty: put "
                   "a proxy in front"));
    words.insert(words.end(), {"--trusted-proxies", "10.0.0.0/8"});
    EXPECT_TRUE(Parse(words).ok()) << words[0];
  }
  // HTTP bounds its own connections.
  EXPECT_TRUE(Parse({"--http", "0.0.0.0:8080", "--tokens", "t"}).ok());
}

// The scopes of callers without a token.
std::string ScopesOf(const std::vector<std::string>& words) {
  const auto config = Parse(words);
  EXPECT_TRUE(config.ok()) << config.status();
  return config.ok() ? AnonymousScopesOf(*config)->List() : "";
}

TEST_F(ConfigTest, CallersFromTheNetworkMayOnlyReadByDefault) {
  const std::string everything = "read,bake,create-worlds,admin";
  EXPECT_EQ(ScopesOf({}), everything);
  EXPECT_EQ(ScopesOf({"--listen", "[::1]:0", "--http", "127.0.0.1:0"}), everything);
  EXPECT_EQ(ScopesOf({"--tls-cert", "c", "--tls-key", "k"}), everything);
  const std::vector<std::vector<std::string>> beyond = {
      {"--listen", "0.0.0.0:7070", "--allow-insecure", "--allow-direct"},
      {"--listen", "0.0.0.0:7070", "--tls-cert", "c", "--tls-key", "k", "--allow-direct"},
      {"--listen", "0.0.0.0:7070", "--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "r",
       "--allow-direct"},
      // One open address is enough: the scopes are the same for both addresses.
      {"--http", "0.0.0.0:8080", "--allow-insecure"}};
  for (std::vector<std::string> words : beyond) {
    EXPECT_EQ(ScopesOf(words), "read") << words[1];
    words.insert(words.end(), {"--anonymous-scopes", "read,create-worlds"});
    EXPECT_EQ(ScopesOf(words), "read,create-worlds") << words[1];
  }
  EXPECT_EQ(ScopesOf({"--anonymous-scopes", "bake"}), "bake");
}

TEST_F(ConfigTest, AnonymousScopesAreSetInOnePlace) {
  for (const char* wrong : {"write", "read,", ",", "read bake", "READ"}) {
    const auto config = Parse({"--anonymous-scopes", wrong});
    EXPECT_EQ(config.status().message(),
              std::string("invalid anonymous_scopes: expected read, bake, create-worlds and admin, "
                          "with commas between, got '") +
                  wrong + "'");
  }
  const auto both = Parse({"--tokens", "t", "--anonymous-scopes", "read"});
  EXPECT_EQ(both.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(both.status().message()),
              HasSubstr("anonymous_scopes can't be used with tokens"));
}

TEST_F(ConfigTest, TrustedProxiesAreAddressesAndNetworks) {
  const auto config = Parse({"--trusted-proxies", "10.0.0.0/8,fd00::1"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_TRUE(TrustedProxiesOf(*config)->Has("10.1.2.3"));
  EXPECT_FALSE(TrustedProxiesOf(ServerConfig())->Has("127.0.0.1"));
  const auto wrong = Parse({"--trusted-proxies", "10.0.0.0/8,proxy"});
  EXPECT_EQ(wrong.status().message(),
            "invalid trusted_proxies: expected addresses or networks with commas between, as "
            "in 10.0.0.0/8,fd00::/8, got 'proxy'");
}

TEST_F(ConfigTest, ACertificateNeedsItsKey) {
  EXPECT_FALSE(Parse({"--tls-cert", "c"}).ok());
  EXPECT_FALSE(Parse({"--tls-key", "k"}).ok());
  EXPECT_FALSE(Parse({"--tls-client-ca", "r"}).ok());
  EXPECT_TRUE(Parse({"--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "r"}).ok());
}

TEST_F(ConfigTest, ASharedCacheNeedsItsKey) {
  const auto keyless = Parse({"--shared-cache", "127.0.0.1:11211"});
  EXPECT_EQ(keyless.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(keyless.status().message()),
              testing::AllOf(HasSubstr("shared_cache_key_file"), HasSubstr("thalwegd cache-key")));
  EXPECT_TRUE(Parse({"--shared-cache", "127.0.0.1:11211", "--shared-cache-key-file", "k"}).ok());
  // A fleet's configuration may name a key although the shared cache is off.
  EXPECT_TRUE(Parse({"--shared-cache-key-file", "k"}).ok());
}

}  // namespace
}  // namespace thalweg::commands
