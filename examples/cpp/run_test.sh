#!/usr/bin/env bash
# Installs the release build into a folder of its own, builds the example against it as a stranger
# would, runs it, and compares with numbers computed elsewhere (NumPy, from the formulas). Rows 4 and
# 272 lack every measure, so their posteriors are the priors.
set -euo pipefail
cd "$(dirname "$0")/../.."
prefix="$PWD/build/example-prefix"
rm -rf "$prefix" build/example
cmake --install build --prefix "$prefix" >/dev/null
cmake -G Ninja -S examples/cpp -B build/example -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_BUILD_TYPE=Release
cmake --build build/example
build/example/penguins data/penguins.csv | tee build/example/output.txt

passed=0 failed=0
check() {  # check NAME COMMAND...
  if "${@:2}"; then
    echo "ok: $1"
    passed=$((passed + 1))
  else
    echo "FAILED: $1"
    failed=$((failed + 1))
  fi
}
doubtful_rows() { [ "$(sed -n 's/^row \([0-9]*\):.*/\1/p' build/example/output.txt | xargs)" = "4 74 130 272 285 309 331" ]; }
sums_are_one() { awk '/^row / { s = $4 + $6 + $8 - 1; if (s * s > 1e-11) bad = 1 } END { exit bad }' build/example/output.txt; }
posterior_of_74() { awk '/^row 74:/ { d = $4 - 0.464673; exit !(d * d < 1e-8) }' build/example/output.txt; }
accuracy() { grep -qx 'rows 344, accuracy 0.985465' build/example/output.txt; }
refuses_absent_file() { ! build/example/penguins build/no-such-file.csv 2>/dev/null; }

check "the doubtful rows" doubtful_rows
check "posteriors sum to 1" sums_are_one
check "posterior of row 74" posterior_of_74
check "accuracy" accuracy
check "an absent file is refused" refuses_absent_file
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
