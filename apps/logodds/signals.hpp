// No unfinished file outlives a signal.
#pragma once

#include <string>

namespace logodds::app {

/// From now on, the signals that end a program (HUP, INT, QUIT, TERM, XCPU, XFSZ) remove `path`
/// first. One that the program was started with as ignored, as by nohup, stays ignored. There is
/// one such file at a time.
void remove_on_signal(const std::string& path);
void keep_on_signal();

}  // namespace logodds::app
