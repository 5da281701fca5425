#include "signals.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

namespace logodds::app {

namespace {

constexpr std::array kEnding = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

/// Plain storage, because a handler must not allocate; the pointer is null while it is written.
struct Removed {
  std::array<char, 4096> text{};
  std::atomic<const char*> path{nullptr};
};
std::array<Removed, 8> removed;
static_assert(std::atomic<const char*>::is_always_lock_free);

extern "C" void remove_and_die(int signal_number) {
  for (const Removed& slot : removed) {
    const char* const path = slot.path.load();
    if (path != nullptr) { ::unlink(path); }
  }
  // SA_RESETHAND has restored the default, which ends the program once this handler returns.
  std::raise(signal_number);
}

void handle(int signal_number) {
  struct sigaction before{};
  if (::sigaction(signal_number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) { return; }
  struct sigaction action{};
  action.sa_handler = remove_and_die;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

void remove_on_signal(const std::string& path) {
  if (path.size() >= removed.front().text.size()) { return; }  // longer than the system takes
  for (Removed& slot : removed) {
    if (slot.path.load() != nullptr) { continue; }
    std::memcpy(slot.text.data(), path.c_str(), path.size() + 1);
    slot.path.store(slot.text.data());
    break;
  }
  for (const int signal_number : kEnding) { handle(signal_number); }
}

void keep_on_signal(const std::string& path) {
  for (Removed& slot : removed) {
    const char* const kept = slot.path.load();
    if (kept != nullptr && path == kept) { slot.path.store(nullptr); }
  }
}

}  // namespace logodds::app
