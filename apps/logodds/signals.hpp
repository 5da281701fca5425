// No unfinished file outlives a signal.
#pragma once

#include <string>

namespace logodds::app {

/// From now on, the signals that end a program (HUP, INT, QUIT, TERM, XCPU, XFSZ) remove `path`
/// first. One that the program was started with as ignored, as by nohup, stays ignored. There are
/// at most 8 such files at a time.
void remove_on_signal(const std::string& path);
/// `path` is finished, or removed.
void keep_on_signal(const std::string& path);

}  // namespace logodds::app
