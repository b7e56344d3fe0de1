#include "server/backend/give_way.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace thalweg::backend {

void GiveWay() {
#ifdef __linux__
  // Of the calling thread, and not of the process: nice values are the threads' own (sched(7)).
  constexpr int kNice = 5;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kNice);
#endif
}

}  // namespace thalweg::backend
