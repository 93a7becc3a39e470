#!/usr/bin/env bats
# What the viewers' hooks do where no viewer is needed to see it.
# shellcheck disable=SC2016 # Scripts for other shells.

bats_require_minimum_version 1.5.0

setup() {
    viewers=$(cd "$BATS_TEST_DIRNAME/../../examples/viewers" && pwd)
    stubs=$BATS_TEST_TMPDIR/stubs
    mkdir "$stubs"
    PATH=$stubs:$PATH
}

# A command that says how it was called: stub NAME SCRIPT
stub() {
    printf '#!/bin/bash\n%s\n' "$2" >"$stubs/$1"
    chmod +x "$stubs/$1"
}

@test "imv's hook writes nowhere without a runtime directory" {
    stub mkdir 'echo "mkdir $*"'
    stub undertone-of 'echo "#102030 #ffffff #eeeeee dark"'
    export imv_current_file=/pictures/a.png imv_current_index=1 imv_file_count=2 imv_pid=$$
    run -0 env -u XDG_RUNTIME_DIR "$viewers/imv/undertone-imv"
    [ "$output" = 'a.png [1/2]' ]
    XDG_RUNTIME_DIR='' run -0 "$viewers/imv/undertone-imv"
    [ "$output" = 'a.png [1/2]' ]
}

@test "feh's hook takes names that look like options" {
    stub undertone-of 'echo "#102030 of $1" >>"$BATS_TEST_TMPDIR/asked"; echo "#102030"'
    stub feh 'printf "%s\n" "$@"'
    cd "$BATS_TEST_TMPDIR"
    mkdir -- -dir
    touch -- -dir/b.png -dir/a.png -n.png
    for name in -dir -n.png; do
        run -0 "$viewers/feh/undertone-feh" -- "$name"
        [[ $output == *$'--image-bg\n#102030\n--\n'"$name" ]]
    done
    [ "$(<asked)" = $'#102030 of ./-dir/a.png\n#102030 of ./-n.png' ]
}
