#include "server/world/kept_worlds.h"

#include <cstddef>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

// How many claims each token and each owner has.
class Shares {
 public:
  explicit Shares(const std::vector<ClaimedWorld>& claims) {
    for (const ClaimedWorld& claimed : claims) {
      if (claimed.claim.owner) Add(*claimed.claim.owner);
    }
  }

  void Add(const Owner& owner) {
    ++of_tokens_[owner.token];
    ++of_owners_[owner];
  }
  std::size_t OfToken(const Owner& owner) const { return of_tokens_.at(owner.token); }
  std::size_t Of(const Owner& owner) const { return of_owners_.at(owner); }

 private:
  std::map<std::string, std::size_t> of_tokens_;
  std::map<Owner, std::size_t> of_owners_;
};

// The order of eviction: the claim with the greatest rank goes first.
auto RankOf(const ClaimedWorld& claimed, const Shares& shares, const Owner& newcomer) {
  const Owner& owner = *claimed.claim.owner;
  return std::tuple(shares.OfToken(owner), owner.token == newcomer.token, shares.Of(owner),
                    owner == newcomer, ~claimed.last_use);
}

// Whether the owner, or its token if that differs, has at least as many claims as the newcomer.
bool MayLose(const Owner& owner, const Shares& shares, const Owner& newcomer) {
  if (owner.token != newcomer.token) return shares.OfToken(owner) >= shares.OfToken(newcomer);
  return shares.Of(owner) >= shares.Of(newcomer);
}

constexpr char kSuffix[] = ".created.json";

}  // namespace

const ClaimedWorld* ClaimToEvict(const std::vector<ClaimedWorld>& claims, const Owner& newcomer) {
  Shares shares(claims);
  shares.Add(newcomer);
  const ClaimedWorld* evicted = nullptr;
  for (const ClaimedWorld& claimed : claims) {
    const Claim& claim = claimed.claim;
    if (claim.keep || !claim.owner || !MayLose(*claim.owner, shares, newcomer)) continue;
    if (evicted == nullptr ||
        RankOf(claimed, shares, newcomer) > RankOf(*evicted, shares, newcomer)) {
      evicted = &claimed;
    }
  }
  return evicted;
}

std::string KeptFileName(const std::string& world_name) {
  return absl::StrCat(world_name, kSuffix);
}

bool IsKeptFile(const std::string& file_name) { return absl::EndsWith(file_name, kSuffix); }

absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world,
                            bool may_replace) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, text::ToJson(world.spec()));
  const std::string path = (folder / KeptFileName(world.name())).string();
  THALWEG_ASSIGN_OR_RETURN(
      const auto file, files::TemporaryFile::Create(path, {.mode = 0644, .operation = "write"}));
  THALWEG_RETURN_IF_ERROR(files::WriteAll(file->number(), path, text));
  absl::Status finished = may_replace ? file->Finish() : file->FinishNew();
  if (!absl::IsAlreadyExists(finished)) return finished;
  // An operator's own, or one that is damaged or of another version.
  return absl::AlreadyExistsError(absl::StrCat(
      "world '", world.name(), "': the worlds folder has a file ", KeptFileName(world.name()),
      " that the server does not serve: remove the file, choose another name, or create the world "
      "without keep"));
}

void RemoveAbandonedWorlds(const std::filesystem::path& folder) {
  files::RemoveAbandoned(folder.string(),
                         [](std::string_view target) { return IsKeptFile(std::string(target)); });
}

absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name) {
  std::error_code error;
  const std::filesystem::path path = folder / file_name;
  std::filesystem::remove(path, error);
  if (!error) return files::SyncFolderOf(path.string());
  return absl::ErrnoToStatus(error.value(), absl::StrCat("delete ", path.string()));
}

}  // namespace thalweg::world
