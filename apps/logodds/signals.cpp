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
std::array<char, 4096> removed_path{};
std::atomic<const char*> removed{nullptr};
static_assert(std::atomic<const char*>::is_always_lock_free);

extern "C" void remove_and_die(int signal_number) {
  const char* const path = removed.load();
  if (path != nullptr) { ::unlink(path); }
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
  keep_on_signal();
  if (path.size() >= removed_path.size()) { return; }  // longer than the system takes
  std::memcpy(removed_path.data(), path.c_str(), path.size() + 1);
  removed.store(removed_path.data());
  for (const int signal_number : kEnding) { handle(signal_number); }
}

void keep_on_signal() { removed.store(nullptr); }

}  // namespace logodds::app
