// logodds: the command. Dispatch, exit status, errors: 0 done, 2 bad usage or bad input.
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "help.hpp"
#include "logodds/error.hpp"
#include "logodds/kernels/level.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

constexpr int kDone = 0;
constexpr int kFailed = 2;

/// A closed standard stream is opened on nothing, so that no file of ours gets its number and with
/// it what is meant for the stream. Reading and writing there still fail where they should.
void reserve_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) < 0) {
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

void choose_vector_level() {
  const char* wanted = std::getenv("LOGODDS_SIMD");
  if (wanted == nullptr || *wanted == '\0') { return; }
  try {
    kernels::set_level(wanted);
  } catch (const Error& error) {
    throw Error(error.code(), std::string("environment variable LOGODDS_SIMD: ") + error.what());
  }
}

void run_root(const std::vector<std::string>& words) {
  const Arguments arguments = parse_arguments(root_command(), words);
  print(arguments.has("version") ? "logodds " LOGODDS_VERSION "\n" : root_help_text());
}

void run_command(const Command& command, const std::vector<std::string>& words) {
  const Arguments arguments = parse_arguments(command, words);
  if (arguments.has("help")) {
    if (command.bit == kPlot && !arguments.positionals().empty()) {
      return print(plot_help_text(plots::find_plot(arguments.positional(0))));
    }
    const bool chosen = command.family_options && arguments.has("model");
    return print(help_text(command, chosen             ? find_family(arguments.text("model"))
                                    : command.clusters ? clustering(arguments.has("soft"))
                                                       : default_record(command)));
  }
  check_positionals(command, arguments);
  choose_vector_level();
  command.run(arguments);
}

void dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw Error(ErrorCode::usage, "no subcommand is given; 'logodds --help' lists them");
  }
  if (words.front().starts_with("-")) { return run_root(words); }
  run_command(find_command(words.front()), {words.begin() + 1, words.end()});
}

/// Tables that grow free their memory again and again: the allocator is to keep it, because getting
/// pages from the system anew costs more than to fill them.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int kLargeBlock = 32 << 20;
  constexpr int kKeep = 256 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_TRIM_THRESHOLD, kKeep);
#endif
}

int complain(std::string_view sentence) {
  const std::string line = "logodds: " + printable(sentence) + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  return kFailed;
}

int guarded(int count, char** words) noexcept {
  try {
    dispatch({words + (count > 0 ? 1 : 0), words + count});
    return kDone;
  } catch (const ClosedPipe&) { return kDone; } catch (const std::bad_alloc&) {
    return complain(
        "not enough memory; use fewer columns or rows, or a model that trains in one pass");
  } catch (const std::exception& error) { return complain(error.what()); } catch (...) {
    return complain("an unknown error occurred");
  }
}

}  // namespace

}  // namespace logodds::app

int main(int count, char** words) {
  logodds::app::keep_memory();
  logodds::app::reserve_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  return logodds::app::guarded(count, words);
}
