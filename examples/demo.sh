#!/usr/bin/env bash
# usage: examples/demo.sh COMMAND
# Three species of penguins, told apart by four measures of their bodies. COMMAND is the path of the
# command; files go to build/demo.
set -euo pipefail
logodds="$(realpath "$1")"
data="$(realpath "$(dirname "$0")/../data/penguins.csv")"
mkdir -p "$(dirname "$0")/../build/demo"
cd "$(dirname "$0")/../build/demo"

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
show() {
  printf '$ logodds %s\n' "$*"
  "$logodds" "$@"
}
fact() { sed -n "s/^  \"$2\": \([^,]*\),*$/\1/p" "$1"; }  # a number of a report in JSON

# Every third complete row is held out; the columns kept are species and the four measures.
awk -F, '
  /,NA,NA,/ { next }
  { line = $1 "," $3 "," $4 "," $5 "," $6 }
  NR == 1 { print line > "train.csv"; print line > "test.csv"; next }
  { print line > (++row % 3 ? "train.csv" : "test.csv") }' "$data"
printf 'Penguins of three species: %d to learn from, %d held out.\n' \
  "$(($(wc -l <train.csv) - 1))" "$(($(wc -l <test.csv) - 1))"

say "1. Train: one Gaussian a species, all with the same covariance (Fisher's LDA)"
show train train.csv --target species --model gaussian -o gaussian.model

say "2. Evaluate on the penguins held out"
show evaluate gaussian.model test.csv

say "3. Posteriors: the surest and the most doubtful of them"
"$logodds" predict gaussian.model test.csv --proba --quiet -o posteriors.csv
paste -d, test.csv posteriors.csv | awk -F, '
  function show(name, row, f) {
    split(row, f, ",")
    printf "%-9s %-10s %6s %6s %6s %6s  %-10s", name, f[1], f[2], f[3], f[4], f[5], f[6]
    printf " %9.4f %9.4f %9.4f\n", f[7], f[8], f[9]
  }
  NR == 1 { next }
  { top = $7 > $8 ? $7 : $8; top = top > $9 ? top : $9 }
  top > most { most = top; sure = $0 }
  !least || top < least { least = top; doubtful = $0 }
  END {
    printf "%-9s %-10s %6s %6s %6s %6s  %-10s", "", "truth", "bill", "depth", "flip", "mass", "decision"
    printf " %9s %9s %9s\n", "Adelie", "Chinstrap", "Gentoo"
    show("sure", sure)
    show("doubtful", doubtful)
  }'

say "4. The three families side by side, on the same held-out penguins"
printf '%-10s %7s %9s %9s %9s\n' model errors accuracy 'log loss' Brier
for family in gaussian softmax neighbors; do
  "$logodds" train train.csv --target species --model "$family" -o "$family.model" --quiet >/dev/null
  "$logodds" evaluate "$family.model" test.csv --json --quiet >"$family.json"
  printf '%-10s %7d %9.4f %9.4f %9.4f\n' "$family" "$(fact "$family.json" errors)" \
    "$(fact "$family.json" accuracy)" "$(fact "$family.json" log_loss)" "$(fact "$family.json" brier)"
done
echo "Neighbors compare grams with millimetres as they come, so the mass decides nearly alone."

say "What to try next"
cat <<'TEXT'
  build/bin/logodds train build/demo/train.csv --target species --model gaussian --covariance own -o own.model
  build/bin/logodds inspect build/demo/gaussian.model      what the model learned
  build/bin/logodds models                                 the families and their options
  build/bin/logodds train data/penguins.csv --target species -o all.model
                                                           with island, sex and year as well
TEXT
