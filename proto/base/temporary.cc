#include "proto/base/temporary.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace thalweg::files {
namespace {

namespace fs = std::filesystem;

constexpr char kLockName[] = "lock";

// Types of statfs(2) of file systems that other machines may write to: NFS, SMB 1 to 3, FUSE, 9P,
// Ceph, AFS, Lustre, GPFS, BeeGFS and OCFS2. Some of their mounts lock for one machine only.
constexpr std::array<std::uint32_t, 12> kSharedSystems = {
    0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x65735546, 0x01021997,
    0x00C36400, 0x5346414F, 0x0BD00BD0, 0x47504653, 0x19830326, 0x7461636F};

// What nobody has written to for this long on such a system was left, whatever the clocks say.
constexpr std::time_t kAbandonedSeconds = 24 * 60 * 60;

// Returns a path that links a nameless file to a name.
std::string SelfPath(int file) { return absl::StrCat("/proc/self/fd/", file); }

std::string FolderOf(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Returns -1 if the file system or the system has no nameless files.
int OpenNameless(const std::string& path, const TemporaryOptions& options) {
  const int file = open(FolderOf(path).c_str(), O_TMPFILE | options.access | O_CLOEXEC,
                        static_cast<unsigned>(options.mode));
  if (file < 0) return -1;
  if (access(SelfPath(file).c_str(), F_OK) == 0) {
    flock(file, LOCK_EX | LOCK_NB);
    return file;
  }
  close(file);
  return -1;
}

// Locks a file that this process has just created. False: another process has taken it for
// abandoned in between, and removes it. Where nothing can be locked, nothing is removed either.
bool HoldNew(int file) {
  if (flock(file, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat facts {};
  return fstat(file, &facts) != 0 || facts.st_nlink > 0;
}

bool IsShared(int file) {
  struct statfs facts {};
  if (fstatfs(file, &facts) != 0) return true;
  return std::ranges::find(kSharedSystems, static_cast<std::uint32_t>(facts.f_type)) !=
         kSharedSystems.end();
}

// The last time when a file, or what is beside it in the folder of a library, was written to.
std::time_t WrittenAt(const std::vector<std::string>& paths) {
  std::time_t last = 0;
  for (const std::string& path : paths) {
    struct stat facts {};
    if (lstat(path.c_str(), &facts) == 0) last = std::max(last, facts.st_mtime);
  }
  return last;
}

// Takes the lock of what may be abandoned, in which case it stays taken while `file` is open.
bool LockAbandoned(int file, const std::vector<std::string>& written) {
  struct stat facts {};
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  if (IsShared(file) && std::time(nullptr) - WrittenAt(written) < kAbandonedSeconds) return false;
  return flock(file, LOCK_EX | LOCK_NB) == 0;
}

int OpenToLock(const std::string& path) {
  // An exclusive lock needs a file that is open for writing on NFS.
  return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

void RemoveAbandonedFile(const std::string& path) {
  const Descriptor file(OpenToLock(path));
  if (file.is_open() && LockAbandoned(file.number(), {path})) unlink(path.c_str());
}

std::vector<std::string> PathsIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    paths.push_back(entry->path().string());
  }
  return paths;
}

// Removes a temporary folder of this process or of a dead one. The lock goes last: a folder that is
// not empty always has one, so that the next process goes on where this one is killed.
void RemoveFolder(const std::string& folder) {
  const std::string lock = absl::StrCat(folder, "/", kLockName);
  for (const std::string& path : PathsIn(folder)) {
    std::error_code ignored;
    if (path != lock) fs::remove_all(path, ignored);
  }
  unlink(lock.c_str());
  rmdir(folder.c_str());
}

void RemoveAbandonedFolder(const std::string& folder) {
  const Descriptor lock(OpenToLock(absl::StrCat(folder, "/", kLockName)));
  if (!lock.is_open()) {
    // Its writer has died before it made the lock, or makes it now and finds no folder: then it
    // makes another one.
    if (errno == ENOENT) rmdir(folder.c_str());
    return;
  }
  if (LockAbandoned(lock.number(), PathsIn(folder))) RemoveFolder(folder);
}

// Returns the target of a name that TemporaryNameOf made.
std::optional<std::string_view> TargetOf(std::string_view name) {
  constexpr std::size_t kDigits = 16;
  const std::string_view ending = kTemporaryEnding;
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  if (name.size() < kDigits + 2 || name[name.size() - kDigits - 1] != '.') return std::nullopt;
  const std::string_view digits = name.substr(name.size() - kDigits);
  if (!std::ranges::all_of(digits, [](char digit) {
        return absl::ascii_isxdigit(static_cast<unsigned char>(digit)) &&
               !absl::ascii_isupper(static_cast<unsigned char>(digit));
      })) {
    return std::nullopt;
  }
  return name.substr(0, name.size() - kDigits - 1);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path, std::string_view shown, std::string name,
                             int file)
    : path_(path), shown_(shown), name_(std::move(name)), file_(file) {}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlink(name_.c_str());
  if (file_ >= 0) close(file_);
}

absl::StatusOr<std::unique_ptr<TemporaryFile>> TemporaryFile::Create(
    const std::string& path, const TemporaryOptions& options) {
  const std::string_view shown = options.shown.empty() ? std::string_view(path) : options.shown;
  const int nameless = options.may_be_nameless ? OpenNameless(path, options) : -1;
  if (nameless >= 0) {
    return std::unique_ptr<TemporaryFile>(new TemporaryFile(path, shown, "", nameless));
  }
  for (;;) {
    const std::string name = TemporaryNameOf(path);
    const int file =
        open(name.c_str(), options.access | O_CREAT | O_EXCL | O_CLOEXEC, options.mode);
    if (file < 0) return SystemError(options.operation, std::string(shown), errno);
    std::unique_ptr<TemporaryFile> created(new TemporaryFile(path, shown, name, file));
    if (HoldNew(file)) return created;
  }
}

absl::Status TemporaryFile::Close() {
  // Network file systems report a full disk only when the file is closed.
  return close(std::exchange(file_, -1)) == 0 ? absl::OkStatus()
                                              : SystemError("write", shown_, errno);
}

absl::Status TemporaryFile::SyncAndName() {
  // The name must not reach the disk before the bytes do.
  absl::Status synced = Sync(file_, shown_);
  if (!synced.ok() || !name_.empty()) return synced;
  std::string name = TemporaryNameOf(path_);
  if (linkat(AT_FDCWD, SelfPath(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return SystemError("write", shown_, errno);
  }
  name_ = std::move(name);
  return absl::OkStatus();
}

absl::Status TemporaryFile::Finish() {
  absl::Status named = SyncAndName();
  if (!named.ok()) return named;
  // The copy keeps the lock until the file has its own name.
  const Descriptor lock(fcntl(file_, F_DUPFD_CLOEXEC, 0));
  absl::Status closed = Close();
  return closed.ok() ? NameFinished(std::exchange(name_, ""), path_) : closed;
}

absl::Status TemporaryFile::FinishNew() {
  absl::Status named = SyncAndName();
  if (!named.ok()) return named;
  const Descriptor lock(fcntl(file_, F_DUPFD_CLOEXEC, 0));
  absl::Status finished = Close();
  // A link, unlike a rename, does not replace an existing file.
  if (finished.ok() && link(name_.c_str(), path_.c_str()) != 0) {
    finished = SystemError("write", shown_, errno);
  }
  unlink(std::exchange(name_, "").c_str());
  return finished.ok() ? SyncFolderOf(path_) : finished;
}

TemporaryFolder::TemporaryFolder(std::string folder, int lock)
    : folder_(std::move(folder)), lock_(lock) {}

TemporaryFolder::~TemporaryFolder() { RemoveFolder(folder_); }

absl::StatusOr<std::unique_ptr<TemporaryFolder>> TemporaryFolder::Create(const std::string& path) {
  for (;;) {
    const std::string folder = TemporaryNameOf(path);
    if (mkdir(folder.c_str(), 0777) != 0) return SystemError("create", path, errno);
    const int lock = open(absl::StrCat(folder, "/", kLockName).c_str(),
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (lock < 0) {
      const int error = errno;
      rmdir(folder.c_str());
      // Another process took the empty folder for abandoned.
      if (error == ENOENT) continue;
      return SystemError("create", path, error);
    }
    if (HoldNew(lock)) {
      return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(folder, lock));
    }
    RemoveFolder(folder);
    close(lock);
  }
}

std::string TemporaryFolder::Path(std::string_view name) const {
  return absl::StrCat(folder_, "/", absl::string_view(name.data(), name.size()));
}

void RemoveAbandoned(const std::string& folder,
                     absl::FunctionRef<bool(std::string_view target)> is_wanted) {
  for (const std::string& path : PathsIn(folder.empty() ? "." : folder)) {
    const std::string name = fs::path(path).filename().string();
    const auto target = TargetOf(name);
    if (!target || !is_wanted(*target)) continue;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(path, error).type();
    if (type == fs::file_type::directory) RemoveAbandonedFolder(path);
    if (type == fs::file_type::regular) RemoveAbandonedFile(path);
  }
}

void RemoveAbandoned(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  RemoveAbandoned(FolderOf(path), [&](std::string_view target) { return target == name; });
}

}  // namespace thalweg::files
