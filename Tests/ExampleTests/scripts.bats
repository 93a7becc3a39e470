#!/usr/bin/env bats
# The scripts behind the Makefile: with stand-ins for what they call, and the demo as it is.
# shellcheck disable=SC2154,SC2016 # Variables of helpers.bash; scripts for other shells.

bats_require_minimum_version 1.5.0
load helpers

setup() {
    stubs=$BATS_TEST_TMPDIR/stubs
    mkdir "$stubs"
    # Who runs the tests may have said it, and the scripts are to be asked without.
    unset YES
    export calls=$BATS_TEST_TMPDIR/calls stubs
    : >"$calls"
}

# A command that notes how it was called, and then does what the script says: stub NAME SCRIPT
stub() {
    printf '#!/bin/bash\necho "%s $*" >>"$calls"\n%s\n' "$1" "${2-}" >"$stubs/$1"
    chmod +x "$stubs/$1"
}

# A Debian where all that is asked for is known, and everything but jq and gdk-pixbuf is installed:
# debian USER-ID
debian() {
    stub dpkg-query 'for name in "${@:4}"; do
        case $name in jq|libgdk-pixbuf*) ;; *) echo "installed $name" ;; esac
    done'
    stub apt-cache 'case ${@: -1} in libgdk-pixbuf-2.0-dev) exit 100 ;; *) echo "Package: x" ;; esac'
    stub apt-get
    stub sudo '"$@"'
    stub id "echo $1"
}

deps() {
    PATH=$stubs:$PATH "$repository/scripts/deps" "$@"
}

@test "deps does nothing where all is installed" {
    debian 0
    stub dpkg-query 'for name in "${@:4}"; do echo "installed $name"; done'
    run -0 deps
    [ -z "$output" ]
    run -1 grep -E '^(apt|sudo)' "$calls"
}

@test "deps installs what is missing, by the name that this release has" {
    debian 0
    run -0 deps build demo
    [[ $output == *"libgdk-pixbuf-2.0-dev|libgdk-pixbuf2.0-dev: decodes"* ]]
    [[ $output == *"jq: takes answers apart"* ]]
    [ "$(grep '^apt-get install' "$calls")" = \
        "apt-get install -q -y --no-install-recommends libgdk-pixbuf2.0-dev jq" ]
    run -1 grep '^sudo' "$calls"
}

@test "deps takes only the groups that it is told" {
    debian 0
    run -0 deps demo
    [[ $(grep '^apt-get install' "$calls") == *" jq" ]]
    [[ $output != *gdk-pixbuf* ]]
    run -0 deps lint
    [ -z "$output" ]
}

@test "deps installs nothing unasked where it cannot ask" {
    debian 1000
    run -1 deps demo </dev/null
    [[ $output == *jq*"YES=1"* ]]
    run -1 grep -E '^(apt-get|sudo)' "$calls"
    run -0 env YES=1 PATH="$stubs:$PATH" "$repository/scripts/deps" demo </dev/null
    grep -q '^sudo env DEBIAN_FRONTEND=noninteractive apt-get install' "$calls"
}

@test "deps asks on a terminal, and takes no for an answer" {
    debian 1000
    # script(1) gives it a terminal; the answer comes from there.
    run -1 env PATH="$stubs:$PATH" script -qec "'$repository/scripts/deps' demo" /dev/null <<<n
    [[ $output == *"[y/N]"* ]]
    run -1 grep '^apt-get' "$calls"
    run -0 env PATH="$stubs:$PATH" script -qec "'$repository/scripts/deps' demo" /dev/null <<<y
    grep -q '^apt-get install' "$calls"
}

@test "deps lists every package once" {
    run -0 "$repository/scripts/deps" --list
    [ "$(sort -u <<<"$output" | wc -l)" -eq "${#lines[@]}" ]
    grep -qx 'libjansson-dev' <<<"$output"
    run -1 "$repository/scripts/deps" --list nonsense
}

# Runs scripts/test with suites that print what the stubs say, away from this one's results.
suites() {
    copy=$BATS_TEST_TMPDIR/copy
    mkdir -p "$copy/scripts"
    cp "$repository/scripts/test" "$copy/scripts"
    stub swift "printf '%s\n' '$1'; exit $2"
    stub python "printf '%s\n' '$3'; exit $4"
    stub bats "printf '%s\n' '$5'; exit $6"
    shift 6
    PATH=$stubs:$PATH SWIFT=swift PYTHON=$stubs/python UNDERTONE_BIN=/ "$copy/scripts/test" "$@"
}

@test "test adds up what passed" {
    run -0 suites '✔ Test run with 12 tests in 3 suites passed after 0.1 seconds.' 0 \
        '30 passed, 1 skipped in 2.00s' 0 $'1..3\nok 1 a\nok 2 b # skip no FUSE\nok 3 c' 0
    [ "${lines[-1]}" = "44 passed, 0 failed, 2 skipped" ]
}

@test "test fails where one suite does, and runs the others all the same" {
    run -1 suites $'✘ Test a() failed after 1 seconds with 1 issue.\n✘ Suite S failed after 1 seconds with 1 issue.\n✘ Test run with 12 tests in 1 suite failed after 1 seconds with 1 issue.' 1 \
        '2 failed, 30 passed, 3 errors in 2.00s' 1 $'1..2\nnot ok 1 a\nok 2 b' 1
    [ "${lines[-1]}" = "42 passed, 7 failed, 0 skipped" ]
}

@test "test counts a suite that crashes as failed" {
    run -1 suites 'error: Exited with unexpected signal code 11' 1 '1 passed in 1s' 0 '1..0' 0
    [ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
    run -1 suites '✔ Test run with 1 test in 1 suite passed after 0.1 seconds.' 0 'no tests ran in 0.1s' 5 \
        $'1..1\nok 1 a' 0
    [ "${lines[-1]}" = "2 passed, 1 failed, 0 skipped" ]
}

@test "test runs only what is on a desktop where it is told to" {
    run -0 suites 'error' 1 '5 passed, 1 skipped in 2.00s' 0 'error' 1 --desktop
    [ "${lines[-1]}" = "5 passed, 0 failed, 1 skipped" ]
    [ "$(cat "$BATS_TEST_TMPDIR/copy/.build/test-results/summary-desktop")" = "${lines[-1]}" ]
    run -1 suites 'error' 1 'no tests ran in 0.1s' 5 'error' 1 --desktop
    [ "${lines[-1]}" = "0 passed, 1 failed, 0 skipped" ]
}

@test "demo asks through socat, draws swatches and cleans up after itself" {
    picture 9ab3d0 "$BATS_TEST_TMPDIR/two words 'quoted'.png"
    picture 00000000 "$BATS_TEST_TMPDIR/clear.png"
    echo text >"$BATS_TEST_TMPDIR/text.png"
    export TMPDIR=$BATS_TEST_TMPDIR/tmp UNDERTONE_BIN=${UNDERTONE_BIN:-$repository/.build/debug}
    mkdir "$TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    IMAGE="two words 'quoted'.png" run -0 "$repository/scripts/demo" clear.png
    [[ $output == *'"background": "#9ab3d0"'* ]]
    [[ $output == *"  Primary text  Secondary text    #9ab3d0  #000000 9.73:1  two"* ]]
    [[ $output == *"(wholly transparent)  clear.png"* ]]
    [[ $output != *$'\e'* ]]
    # On a terminal it draws.
    IMAGE="two words 'quoted'.png" run -0 script -qec "$repository/scripts/demo" /dev/null
    [[ $output == *$'\e[48;2;154;179;208m\e[38;2;0;0;0m  Primary text '*"#9ab3d0  #000000 9.73:1  two"* ]]
    run -1 "$repository/scripts/demo" text.png
    [[ $output == *"(unsupported_format)  text.png"* ]]
    IMAGE=absent.png run -1 "$repository/scripts/demo"
    [ "$output" = "demo: there is no file absent.png" ]
    # Neither its folder nor its daemon is left.
    [ -z "$(ls "$TMPDIR")" ]
    run ! grep -qasF "UNDERTONE_SOCKET=$TMPDIR" /proc/[0-9]*/environ
}

@test "demo fails with the daemon" {
    stub undertoned 'exit 3'
    UNDERTONE_BIN=$stubs run -1 "$repository/scripts/demo" /absent.png
}
