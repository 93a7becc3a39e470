#!/usr/bin/env bats
# What `make install` installs: whole, valid, and gone again.
# shellcheck disable=SC2016,SC2030,SC2031 # Scripts for other shells; each test has its own variables.

bats_require_minimum_version 1.5.0

setup_file() {
    repository=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export repository UNDERTONE_BIN=${UNDERTONE_BIN:-$repository/.build/debug}
    # A socket's path has room for 107 bytes.
    root=$(mktemp -d /tmp/ut-XXXXXX)
    export root PREFIX=/usr DESTDIR=$root/system
    "$repository/scripts/install"
}

teardown_file() { rm -r "$root"; }

# The operations and options of a command, as its help lists them.
options() {
    "$DESTDIR/usr/bin/undertone" "$@" --help | sed -n 's/^  \(-., \)*--\([a-z-]*\).*/--\2/p'
}

commands() {
    "$DESTDIR/usr/bin/undertone" --help |
        sed -n '/^Commands:/,/^$/s/^  undertone \(\[\(.*\)\]\|\([a-z]*\)\) .*/\2\3/p'
}

# The options that zsh completes after some words.
zsh_options() {
    zsh -fc '
        fpath=(${1:h}) && autoload -Uz _undertone
        _arguments() { print -rl -- $@ }
        words=(undertone ${@:2} --) CURRENT=$(($# + 1))
        _undertone' - "$repository/packaging/completions/_undertone" "$@" |
        grep -o -e '--[a-z-]*[=[]' | tr -d '=[' | sort -u
}

@test "the installed programs answer" {
    "${PYTHON:-/usr/bin/python3}" -c 'import PIL.Image, sys; PIL.Image.new("RGB", (8, 6), "#2a6a52").save(sys.argv[1])' \
        "$root/a.png"
    mkdir -m 700 "$root/run"
    # The manager passes the home on, and no place of the cache.
    export XDG_RUNTIME_DIR=$root/run HOME=$root/home
    unset UNDERTONE_SOCKET
    # Passed by the service manager, to the daemon with its decoder in libexec.
    systemd-socket-activate --listen "$root/run/undertone.sock" \
        "$DESTDIR/usr/bin/undertoned" 2>"$root/log" 3>&- &
    manager=$!
    for _ in {1..1200}; do
        [ -S "$root/run/undertone.sock" ] && break
        sleep 0.05
    done
    run -0 "$DESTDIR/usr/bin/undertone" --socket "$root/run/undertone.sock" "$root/a.png"
    # It took the place of the manager.
    kill "$manager"
    wait "$manager"
    [[ $output == *'"background":"#2a6a52"'* ]]
}

@test "the units are valid and confine well" {
    # The unit names the program's place on the user's machine.
    unit=$root/units
    mkdir -m 700 "$unit" "$unit/run"
    cp "$DESTDIR"/usr/lib/systemd/user/undertone.* "$unit"
    sed -i "s|=/usr/bin/undertoned|=$DESTDIR/usr/bin/undertoned|" "$unit/undertone.service"
    export XDG_RUNTIME_DIR=$unit/run
    run -0 systemd-analyze verify --user --man=no "$unit/undertone.socket" "$unit/undertone.service"
    [ -z "$output" ]
    run -0 systemd-analyze security --user --offline=true --threshold=20 "$unit/undertone.service"
    # What the decoder's own confinement needs is let through.
    for call in seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self prlimit64; do
        grep -q "^SystemCallFilter=.*\b$call\b" "$unit/undertone.service"
    done
    grep -q "^ListenStream=%t/undertone/undertone.sock" "$unit/undertone.socket"
}

@test "the help lists what the other tests go through" {
    [ "$(commands | wc -l)" -eq 11 ]
    [ "$(options color | wc -l)" -ge 10 ]
}

@test "the man pages are valid and know every option" {
    for page in man1/undertone.1 man1/undertoned.1 man5/undertone-protocol.5; do
        run -0 bash -c 'man --warnings -E UTF-8 -l "$1" 2>&1 >/dev/null' - "$DESTDIR/usr/share/man/$page"
        [ -z "$output" ]
    done
    page=$DESTDIR/usr/share/man/man1/undertone.1
    for command in $(commands); do
        grep -q "\\\\fB$command\\\\fR" "$page"
        for option in $(options "$command"); do
            grep -qF -e "\\fB${option//-/\\-}" -e "\\fB$option" "$page" || { echo "$option"; false; }
        done
    done
    "$DESTDIR/usr/bin/undertoned" --help | sed -n 's/^  \(-., \)*--\([a-z-]*\).*/\2/p' |
        while read -r option; do
            grep -qE "fB(\\\\?-){2}${option//-/.?-}" "$DESTDIR/usr/share/man/man1/undertoned.1"
        done
}

@test "the manual of the protocol names every operation and error" {
    page=$repository/packaging/man/undertone-protocol.5.scd
    for word in $(jq -r '.. | .code? // empty | .examples? // empty | .[]' "$repository/protocol/schema.json"); do
        grep -qF "*$word*" "$page" || { echo "$word"; false; }
    done
    for word in $(commands); do
        case $word in doctor | send | socket) continue ;; esac
        grep -qF "*$word*" "$page" || { echo "$word"; false; }
    done
}

@test "bash completes every command, option and value" {
    for command in $(commands); do
        for option in $(options "$command"); do
            run -0 bash -c '
                source "$1"
                COMP_WORDS=(undertone "$2" "$3") COMP_CWORD=2
                _undertone
                printf "%s\n" "${COMPREPLY[@]}"' - \
                "$repository/packaging/completions/undertone.bash" "$command" "$option"
            [[ $'\n'$output$'\n' == *$'\n'$option$'\n'* ]] || { echo "$command $option"; false; }
        done
    done
    # A watch takes the options of what it watches, and no others.
    for operation in color palette indicator theme; do
        expected=$(options watch --op "$operation" | sort)
        for words in "--op $operation" "--op = $operation"; do
            # shellcheck disable=SC2086 # The words of a command line.
            run -0 bash -c '
                source "$1"
                COMP_WORDS=(undertone watch "${@:2}" --) COMP_CWORD=$(($# + 1))
                _undertone
                printf "%s\n" "${COMPREPLY[@]}" | sort' - \
                "$repository/packaging/completions/undertone.bash" $words
            [ "$output" = "$expected" ] || { echo "$operation: $output"; false; }
        done
    done
    run -0 bash -c 'source "$1"; COMP_WORDS=(undertone theme --scheme = d) COMP_CWORD=4; _undertone
        echo "${COMPREPLY[@]}"' - "$repository/packaging/completions/undertone.bash"
    [ "$output" = dark ]
    cd "$repository/protocol"
    run -0 bash -c 'source "$1"; COMP_WORDS=(undertone tran) COMP_CWORD=1; _undertone
        echo "${COMPREPLY[@]}"' - "$repository/packaging/completions/undertone.bash"
    [ "$output" = "transcripts transition" ]
}

@test "fish and zsh read their completions, which know every option" {
    zsh -n "$DESTDIR/usr/share/zsh/site-functions/_undertone"
    export HOME=$root/fish
    mkdir -p "$HOME"
    for command in $(commands); do
        for option in $(options "$command"); do
            run -0 fish --no-config -c 'source $argv[1]; complete -C "undertone $argv[2] $argv[3]"' \
                "$repository/packaging/completions/undertone.fish" "$command" "$option"
            [[ $output == *"$option"* ]] || { echo "$command $option"; false; }
        done
        [ "$(zsh_options "$command")" = "$(options "$command" | sort)" ] ||
            { echo "zsh: $command"; false; }
    done
    for operation in color palette indicator theme; do
        expected=$(options watch --op "$operation" | sort)
        for words in "--op $operation" "--op=$operation"; do
            run -0 fish --no-config -c 'source $argv[1]; complete -C "undertone watch $argv[2] --"' \
                "$repository/packaging/completions/undertone.fish" "$words"
            [ "$(cut -f 1 <<<"$output" | sort)" = "$expected" ] ||
                { echo "$operation: $output"; false; }
            # shellcheck disable=SC2086 # The words of a command line.
            [ "$(zsh_options watch $words)" = "$expected" ] || { echo "zsh: $operation"; false; }
        done
    done
}

@test "a user's own units are where the service manager looks" {
    export DESTDIR='' HOME=$root/some_body
    unset XDG_DATA_HOME XDG_CONFIG_HOME
    PATH=$HOME/.local/bin:$PATH PREFIX=$HOME/.local run -0 "$repository/scripts/install"
    [ "$output" = "install: undertone is in $HOME/.local/bin" ]
    PREFIX=$HOME/.local run -0 "$repository/scripts/install"
    [ "${lines[1]}" = "install: put that on PATH: export PATH=\"$HOME/.local/bin:\$PATH\"" ]
    unit=$(find "$HOME" -name undertone.service)
    systemd-analyze --user unit-paths | grep -qxF "${unit%/*}"
    # The manuals name the places of this prefix.
    sed 's/\\&//g' "$HOME/.local/share/man/man1/undertoned.1" |
        grep -F "$HOME/.local/share/systemd/user/undertone.socket"
    sed 's/\\&//g' "$HOME/.local/share/man/man5/undertone-protocol.5" |
        grep -F "$HOME/.local/share/doc/undertone/protocol"
    PREFIX=$HOME/.local "$repository/scripts/install" --uninstall
    [ -z "$(find "$HOME" -type f)" ]
}

@test "nothing is left after removal, and other people's files are" {
    export DESTDIR=$root/removed
    "$repository/scripts/install"
    mkdir -p "$DESTDIR/usr/share/man/man1"
    echo other >"$DESTDIR/usr/share/man/man1/other.1"
    "$repository/scripts/install" --uninstall
    [ "$(find "$DESTDIR" -type f)" = "$DESTDIR/usr/share/man/man1/other.1" ]
    # Folders that anybody may use stay, also empty ones.
    [ -d "$DESTDIR/usr/bin" ]
    [ ! -e "$DESTDIR/usr/share/doc/undertone" ]
    [ ! -e "$DESTDIR/usr/libexec/undertone" ]
    PREFIX=relative run -1 "$repository/scripts/install"
    # Nothing is installed, or removed, where the unit or the list of files could not name it.
    export DESTDIR=$root/refused
    for prefix in '/opt/a&b' '/opt/a b' '/opt/a&b|c' '/opt/a|b' '/opt/a\b' '/opt/a"b' "/opt/a'b" \
        '/opt/%h' '/opt/$x' $'/opt/a\nb' $'/opt/a\tb' $'/opt/a\eb' '/opt/a '; do
        for option in '' --uninstall; do
            # shellcheck disable=SC2086 # No option is no word.
            PREFIX=$prefix run -1 "$repository/scripts/install" $option
            [ "${#lines[@]}" -eq 1 ]
            [[ $output == "install: PREFIX must hold no "* ]]
            [ ! -e "$DESTDIR" ]
        done
    done
    UNDERTONE_BIN="$root/a b" run -1 "$repository/scripts/install"
    [ "$output" = 'install: UNDERTONE_BIN must hold no blanks' ]
    # Others are as good as any, in the unit too.
    PREFIX='/opt/é~a,b+c@d:e=f;g#h' "$repository/scripts/install"
    [ -x "$DESTDIR/opt/é~a,b+c@d:e=f;g#h/bin/undertone" ]
    grep -qxF 'ExecStart=/opt/é~a,b+c@d:e=f;g#h/bin/undertoned --idle-exit 300' \
        "$DESTDIR/opt/é~a,b+c@d:e=f;g#h/share/systemd/user/undertone.service"
    UNDERTONE_BIN=$root/none run -1 "$repository/scripts/install"
    [[ $output == *"make build"* ]]
}
