// Threads that compute give way to those that answer calls.
#pragma once

namespace thalweg::backend {

// From now on the calling thread, and those that it starts, get less of a busy processor than
// others: about a third of what a thread of normal priority gets. On an idle one nothing changes.
// For work of milliseconds and more, which would delay answers that take microseconds. Without
// effect where the system has no priorities of threads (Linux has: setpriority(2)).
void GiveWay();

}  // namespace thalweg::backend
