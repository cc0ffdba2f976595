#!/bin/sh
# What the mail server pipes a letter into. It runs as nobody, who may not be let near the Python of the tests; so the
# letter is laid into a spool, where the test runs the program that keeps it, and the program's exit code is ours.
#
#   hand_over.sh SPOOL SENDER RECIPIENT < letter
umask 000
mine="$1/$$"
cat > "$mine.letter" || exit 75
printf '%s\n%s\n' "$2" "$3" > "$mine.envelope"
mv "$mine.envelope" "$mine.ready"
until [ -e "$mine.code" ]; do sleep 0.05; done
code=$(cat "$mine.code")
rm -f "$mine".*
exit "$code"
