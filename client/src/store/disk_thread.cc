#include "client/src/store/disk_thread.h"

#include <utility>

namespace thalweg {
namespace {

constexpr std::size_t kMaxWrites = 1'024;
constexpr std::size_t kMaxWriteBytes = std::size_t{64} << 20;

}  // namespace

DiskThread::DiskThread(std::unique_ptr<TileFolder> folder, OnRead on_read, OnWritten on_written)
    : folder_(std::move(folder)),
      on_read_(std::move(on_read)),
      on_written_(std::move(on_written)),
      thread_([this] { Loop(); }) {}

DiskThread::~DiskThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DiskThread::Read(std::string world, const FiledTile& tile) {
  const std::lock_guard lock(mutex_);
  reads_.push_back({std::move(world), tile});
  changed_.notify_all();
}

void DiskThread::Write(std::string world, const FiledTile& tile, v1::Tile message) {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = message.ByteSizeLong();
  if (writes_.size() >= kMaxWrites || waiting_bytes_ + bytes > kMaxWriteBytes) return;
  waiting_bytes_ += bytes;
  writes_.push_back({std::move(world), tile, std::move(message)});
  changed_.notify_all();
}

void DiskThread::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !reads_.empty() || !writes_.empty(); });
    if (stopping_ && writes_.empty()) return;
    if (!stopping_ && !reads_.empty()) {
      const ReadJob job = std::move(reads_.front());
      reads_.pop_front();
      lock.unlock();
      on_read_(job.tile, folder_->Read(job.world, job.tile));
    } else {
      const WriteJob job = std::move(writes_.front());
      writes_.pop_front();
      waiting_bytes_ -= job.message.ByteSizeLong();
      lock.unlock();
      on_written_(job.tile, folder_->Write(job.world, job.tile, job.message));
    }
    lock.lock();
  }
}

}  // namespace thalweg
