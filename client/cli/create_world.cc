#include "absl/strings/str_cat.h"
#include "client/cli/commands.h"
#include "client/cli/input_file.h"
#include "client/cli/json.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

// More than the largest specification that a server takes.
constexpr std::size_t kMaxSpecBytes = std::size_t{16} << 20;

}  // namespace

absl::StatusOr<std::string> CreateWorld(Client& client, const CreateWorldArguments& arguments,
                                        bool json) {
  THALWEG_ASSIGN_OR_RETURN(const std::string specification,
                           ReadInputFile(arguments.file, kMaxSpecBytes));
  THALWEG_ASSIGN_OR_RETURN(const CreatedWorld created,
                           client.CreateWorld(specification, arguments.keep));
  const WorldInfo& world = created.world;
  if (json) {
    return absl::StrCat("{\"created\":", created.is_new ? "true" : "false",
                        ",\"name\":", JsonString(world.name), ",\"id\":", JsonString(world.id),
                        "}\n");
  }
  return absl::StrCat(created.is_new ? "created " : "already there: ", world.name, "  ", world.id,
                      "\n");
}

}  // namespace thalweg::cli
