#!/usr/bin/env bats
# The command-line client against a live daemon.
# shellcheck disable=SC2154,SC2016 # Variables of helpers.bash; scripts for other shells.
# shellcheck disable=SC2030,SC2031 # Each test has variables of its own.

bats_require_minimum_version 1.5.0
load helpers

setup_file() { start_daemon; }
teardown_file() { stop_daemon; }

@test "prints one JSON line for each picture, in order, with its name" {
    cd "$folder"
    undertone -- "${hostile_names[@]}" >"$home/answers"
    [ "$(wc -l <"$home/answers")" -eq "${#hostile_names[@]}" ]
    for index in "${!hostile_names[@]}"; do
        line=$(sed -n "$((index + 1))p" "$home/answers")
        [ "$(jq -r .result.background <<<"$line")" = "#${colors[index]}" ]
        # Names that are not UTF-8 come in base64; a byte at the end keeps newlines.
        name=$(jq -j 'if .path_b64 then .path_b64 else .path | @base64 end' <<<"$line" |
            base64 -d && echo x)
        [ "$name" = "${hostile_names[index]}x" ]
    done
    [ "$(jq -s '[.[] | select(.path_b64)] | length' "$home/answers")" -eq 1 ]
}

@test "tells what the daemon keeps, and has it forget it" {
    undertone "$folder/plain.png" >"$home/answers"
    run -0 undertone cache
    [ "$(jq '.result.memory.entries >= 1' <<<"$output")" = true ]
    [ "$(jq -r .result.disk.path <<<"$output")" = "$home/cache/undertone/summaries.sqlite" ]
    run -0 undertone cache clear
    [ "$(jq -c '[.result.memory.entries, .result.disk.entries]' <<<"$output")" = '[0,0]' ]
    run -2 undertone cache everything
    [ "${lines[0]}" = "undertone: cache takes nothing but clear: everything" ]
}

@test "says the same with and without the word color" {
    cd "$folder"
    [ "$(undertone color plain.png)" = "$(undertone plain.png)" ]
    [ "$(undertone "$folder/plain.png" | jq -r .path)" = "$folder/plain.png" ]
}

@test "keeps the order of many pictures, more than are under way at once" {
    cd "$folder"
    names=()
    for index in {1..300}; do names+=("${hostile_names[index % ${#hostile_names[@]}]}"); done
    undertone -- "${names[@]}" | jq -r .result.background >"$home/answers"
    for index in {1..300}; do echo "#${colors[index % ${#colors[@]}]}"; done | cmp - "$home/answers"
}

@test "passes every option on" {
    picture 00000080 "$home/half.png"
    run -0 undertone -a linear -c 7 --sampling exact --backdrop '#ffffff' \
        -r top=top:0.5 -r 'a "b"=0,0,0.5,1' "$home/half.png"
    jq -e '.result | .image.sampling == "exact" and .opacity > 0.5 and .opacity < 0.51
        and (.regions | keys_unsorted) == ["top", "a \"b\""]' <<<"$output"
    picture 777777 "$home/grey.png"
    run -0 undertone -c 7 "$home/grey.png"
    jq -e '.result.foreground | .meets == false and .contrast < 7' <<<"$output"
}

@test "a failed picture costs nothing but its own answer" {
    cd "$folder"
    run -1 undertone absent plain.png "$folder" ''
    [ "$(jq -r '.error.code // .result.background' <<<"$output" | paste -sd' ')" = \
        "not_found #2a6a52 not_a_file invalid_request" ]
    [ "$(jq -r .path <<<"${lines[0]}")" = absent ]
}

@test "tells where the commands are listed if a name may be meant for one" {
    cd "$folder"
    run -1 --separate-stderr undertone --color=always statsu
    [[ $stderr == *"statsu: "*"; undertone --help lists the commands"* ]]
    # These are names of files.
    for names in ./statsu "absent b.png" b.png; do
        # shellcheck disable=SC2086 # Words of a command line.
        run -1 --separate-stderr undertone --color=always $names
        [[ $stderr != *"lists the commands"* ]]
    done
}

@test "reads names from standard input, as they come" {
    cd "$folder"
    run -0 bash -c 'printf "%s\n" plain.png "two words.png" | undertone -'
    [ "${#lines[@]}" -eq 2 ]
    run -0 bash -c 'find . -type f -print0 | undertone -0 - | wc -l'
    [ "$output" -eq "${#hostile_names[@]}" ]
    run -0 bash -c ': | undertone -'
    [ -z "$output" ]

    mkfifo "$home/names"
    undertone - <"$home/names" >"$home/early" 3>&- &
    reader=$!
    exec 9>"$home/names"
    echo plain.png >&9
    for _ in {1..1200}; do
        [ -s "$home/early" ] && break
        sleep 0.05
    done
    [ "$(jq -r .result.background "$home/early")" = "#2a6a52" ]
    exec 9>&-
    wait "$reader"
}

@test "refuses a name without end" {
    run -2 bash -c 'head -c 300000 /dev/zero | tr "\0" a | undertone -'
    [[ $output == *"--null"* ]]
}

@test "ends quietly when nobody reads any more" {
    cd "$folder"
    names=()
    for _ in {1..2000}; do names+=(plain.png); done
    run bash -c 'undertone "$@" | head -n 1' _ "${names[@]}"
    [ "${#lines[@]}" -eq 1 ]
    # With the signal ignored it is an error to write, and still nothing to talk about.
    run bash -c 'trap "" PIPE; undertone "$@" | head -n 1' _ "${names[@]}"
    [ "${#lines[@]}" -eq 1 ]
}

@test "draws swatches where it is told to" {
    cd "$folder"
    run -0 env TERM=xterm COLORTERM=truecolor undertone --color=always plain.png
    [[ $output == *$'\e[48;2;42;106;82m'* ]]
    [[ $output == *"8 × 6 png, dark, #2a6a52"* ]]
    run -0 env TERM=xterm-256color undertone --color=always plain.png
    [[ $output == *$'\e[48;5;23m'* ]]
    run -1 undertone --color=always ./absent
    [ "$output" = "undertone: ./absent: $(undertone ./absent | jq -r .error.message)" ]
    run -0 undertone --color=always --json plain.png
    jq -e .result <<<"$output"
}

@test "status is the daemon's own reply" {
    run -0 undertone status
    jq -e '.result.protocol == 1 and (.result.operations | index("color"))' <<<"$output"
}

@test "send answers line by line, in order" {
    run -1 undertone send <<LINES
{"id":1,"path":"$folder/plain.png"}

   {"id":"two","op":"status"}
nonsense
{"id":4,"path":"relative"}
LINES
    [ "${#lines[@]}" -eq 4 ]
    [ "$(jq -c '[.id, .error.code]' <<<"$output" | paste -sd' ')" = \
        '[1,null] ["two",null] [null,"parse_error"] [4,"invalid_request"]' ]
    run -0 undertone send </dev/null
    [ -z "$output" ]
    # The last line may lack its newline.
    run -0 bash -c 'printf "{\"op\":\"status\"}" | undertone send'
    [ "${#lines[@]}" -eq 1 ]
}

@test "send takes more than anything holds at once" {
    for index in {1..3000}; do echo "{\"id\":$index,\"path\":\"$folder/plain.png\"}"; done >"$home/many"
    undertone send <"$home/many" | jq .id | cmp - <(seq 3000)
    run -1 bash -c '(head -c 5000000 /dev/zero | tr "\0" " "; echo x; echo "{\"op\":\"status\"}") |
        undertone send | jq -c "[.id, .error.code]" | paste -sd" "; exit "${PIPESTATUS[1]}"'
    [ "$output" = '[null,"request_too_large"] [null,null]' ]
}

@test "socket prints where the daemon listens, and starts nothing" {
    run -0 undertone socket
    [ "$output" = "$UNDERTONE_SOCKET" ]
    run -0 undertone socket --socket /elsewhere/socket
    [ "$output" = /elsewhere/socket ]
    run -0 env -u UNDERTONE_SOCKET XDG_RUNTIME_DIR="$home" undertone socket
    [ "$output" = "$home/undertone/undertone.sock" ]
    [ ! -e "$home/undertone" ]
    run -2 undertone socket --socket relative
    run -2 undertone socket --socket "/$(printf 'a%.0s' {1..107})"
    [[ $output == *107* ]]
}

@test "exits 2 with one line where it cannot ask" {
    run -2 undertone
    run -2 undertone --nonsense x
    [[ ${lines[0]} == *--nonsense* ]]
    run -2 undertone --no-start --socket "$home/none" "$folder/plain.png"
    [ "$output" = "undertone: no daemon is running" ]
    : >"$home/file"
    chmod 000 "$home/file"
    run -2 undertone --no-start --socket "$home/file" "$folder/plain.png"
    [ "${#lines[@]}" -eq 1 ]
    # Something else listens there: no daemon is started in its place.
    socat "UNIX-RECV:$home/datagram" - 3>&- &
    other=$!
    for _ in {1..1200}; do
        [ -S "$home/datagram" ] && break
        sleep 0.05
    done
    run -2 undertone --socket "$home/datagram" "$folder/plain.png"
    kill "$other"
    [[ $output == "undertone: connecting to $home/datagram: "* ]]
}

@test "starts one daemon, however many ask for it" {
    mkdir -m 700 "$home/run"
    export -n UNDERTONE_SOCKET
    unset UNDERTONE_SOCKET
    export XDG_RUNTIME_DIR=$home/run
    for index in {1..8}; do
        undertone "$folder/plain.png" >"$home/started.$index" 3>&- &
        clients+=($!)
    done
    for client in "${clients[@]}"; do wait "$client"; done
    [ "$(cat "$home"/started.* | jq -r .result.background | sort | uniq -c | xargs)" = "8 #2a6a52" ]

    # One daemon listens, in a session of its own, with nothing of its starter's open.
    run -0 undertone -v status
    [[ $output != *starting* ]]
    pids=()
    for process in /proc/[0-9]*; do
        if grep -qs "^XDG_RUNTIME_DIR=$home/run" <(tr '\0' '\n' 2>/dev/null <"$process/environ") &&
            [ "$(cat "$process/comm")" = undertoned ]; then
            pids+=("${process#/proc/}")
        fi
    done
    [ "${#pids[@]}" -eq 1 ]
    # The session is the sixth field.
    [ "$(cut -d ' ' -f 6 "/proc/${pids[0]}/stat")" -eq "${pids[0]}" ]
    [ "$(readlink "/proc/${pids[0]}/cwd")" = / ]
    for descriptor in 0 1; do
        [ "$(readlink "/proc/${pids[0]}/fd/$descriptor")" = /dev/null ]
    done
    # What it would say goes to its starter, and nowhere once that has ended.
    [[ $(readlink "/proc/${pids[0]}/fd/2") == pipe:* ]]
    kill "${pids[0]}"
    for _ in {1..1200}; do
        [ -e "/proc/${pids[0]}" ] || break
        sleep 0.05
    done
    [ ! -e "$home/run/undertone/undertone.sock" ]
}

@test "says so when it starts a daemon" {
    run -0 undertone -v --socket "$home/second" status
    [[ $output == *"undertone: starting "*/undertoned* ]]
    pkill_socket=$home/second
    for process in /proc/[0-9]*; do
        if tr '\0' ' ' 2>/dev/null <"$process/cmdline" | grep -qsF "undertoned --socket $pkill_socket"; then
            kill "${process#/proc/}"
        fi
    done
}

@test "is answered also while the daemon that it finds ends" {
    export UNDERTONE_SOCKET=$home/ending
    for _ in {1..15}; do
        run -0 undertone status
        kill "$(jq .result.pid <<<"$output")"
        # At once, before or after the daemon has left its place.
        run -0 undertone "$folder/plain.png"
        [[ $output == *"#2a6a52"* ]]
        kill "$(undertone status | jq .result.pid)"
        run -0 bash -c 'undertone send <<<"{\"op\":\"status\"}"'
        kill "$(jq .result.pid <<<"$output")"
        run -0 undertone transition '#000000' '#ffffff' --frames 2
    done
    kill "$(undertone status | jq .result.pid)"
}

@test "finds the daemon beside itself, else on PATH" {
    mkdir "$home/bin" "$home/other"
    cp "$(command -v undertone)" "$home/bin"
    printf '#!/bin/sh\nexit 3\n' >"$home/other/undertoned"
    chmod +x "$home/other/undertoned"
    export UNDERTONE_SOCKET=$home/none
    PATH=/usr/bin:/bin run -2 "$home/bin/undertone" status
    [ "$output" = "undertone: no daemon is running, and there is no undertoned to start" ]

    PATH=relative:$home/other:/usr/bin:/bin run -2 "$home/bin/undertone" -v status
    [ "${lines[0]}" = "undertone: starting $home/other/undertoned" ]
    [ "${lines[1]}" = "undertone: the daemon did not start: it ended with exit status 3" ]

    printf '#!/bin/sh\necho first >&2\necho "undertoned: why" >&2\nexit 1\n' >"$home/other/undertoned"
    PATH=$home/other:/usr/bin:/bin run -2 "$home/bin/undertone" status
    [ "$output" = "undertone: the daemon did not start: undertoned: why" ]

    cp "$home/other/undertoned" "$home/bin"
    run -2 "$home/bin/undertone" -v status
    [ "${lines[0]}" = "undertone: starting $home/bin/undertoned" ]
}

@test "asks for palettes and themes as for colours" {
    cd "$folder"
    for command in palette theme; do
        undertone "$command" -- "${hostile_names[@]}" >"$home/answers"
        [ "$(wc -l <"$home/answers")" -eq "${#hostile_names[@]}" ]
    done
    undertone palette -n 1 -- "${hostile_names[@]}" | jq -r '.result.colors[0].color' |
        cmp - <(printf '#%s\n' "${colors[@]}")
    run -1 undertone palette absent plain.png
    [ "$(jq -r '.error.code // .result.colors[0].share' <<<"$output" | paste -sd' ')" = "not_found 1" ]
    run -0 bash -c 'find . -type f -print0 | undertone theme -0 - | wc -l'
    [ "$output" -eq "${#hostile_names[@]}" ]
    [ "$(undertone theme --scheme light plain.png | jq -r .result.scheme)" = light ]
}

@test "asks for the strip under pictures, with a glyph of any name" {
    cd "$folder"
    run -0 undertone indicator --area bottom:0.5 --glyph "${hostile_names[11]}" -- "${hostile_names[@]}"
    [ "${#lines[@]}" -eq "${#hostile_names[@]}" ]
    for index in "${!hostile_names[@]}"; do
        jq -e --arg color "#${colors[index]}" '.result.base == $color and
            .result.labels.active.contrast >= 7 and .result.glyph.image.width == 8' <<<"${lines[index]}"
    done
    run -1 undertone indicator --glyph absent plain.png
    jq -e '.error.code == "not_found"' <<<"$output"
}

@test "asks for the way between colours and pictures" {
    cd "$folder"
    run -0 undertone transition '#000000' "${hostile_names[11]}" --frames 5
    jq -e --arg color "#${colors[11]}" '.result.from == {color: "#000000"} and
        .result.to.color == $color and (.result.frames | length) == 5 and
        ([.result.frames[].foreground.contrast] | min) >= 4.58' <<<"$output"
    picture 2a6a52 "./#ffffff"
    [ "$(undertone transition '#ffffff' './#ffffff' | jq -c '[.result.from.color, .result.to.color]')" = \
        '["#ffffff","#2a6a52"]' ]
    rm "./#ffffff"
    run -1 undertone transition plain.png absent
    jq -e '.error.code == "not_found"' <<<"$output"
    run -1 undertone transition plain.png absent --color=always
    [[ $output == "undertone: plain.png → absent: to: "* ]]
}

@test "prints a theme for pywal as pywal has it" {
    cd "$folder"
    run -0 undertone theme --format pywal plain.png
    [ "${#lines[@]}" -eq 1 ]
    jq -e --arg path "$folder/plain.png" '.wallpaper == $path and .alpha == "100"
        and (.special | keys) == ["background", "cursor", "foreground"]
        and (.colors | length) == 16 and .colors.color0 == .special.background' <<<"$output"
    run -1 undertone theme --format pywal absent
    [[ $output == "undertone: absent: "* ]]
}

@test "writes nowhere where standard output is closed" {
    run -2 bash -c 'undertone "$1" >&-' - "$folder/plain.png"
    [ "$output" = "undertone: standard output: Bad file descriptor" ]
    run -2 bash -c 'undertone status >&-'
    [ "$output" = "undertone: standard output: Bad file descriptor" ]
    run -0 bash -c 'undertone "$1" <&- 2>&-' - "$folder/plain.png"
    [[ $output == *"#2a6a52"* ]]
}

@test "tells another user's daemon nothing" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, to be two users"
    theirs=$(mktemp -d /tmp/ut-XXXXXX)
    chown 65534 "$theirs"
    setpriv --reuid 65534 --clear-groups socat "UNIX-LISTEN:$theirs/socket" - >"$home/heard" 3>&- &
    other=$!
    for _ in {1..1200}; do
        [ -S "$theirs/socket" ] && break
        sleep 0.05
    done
    run -2 undertone --socket "$theirs/socket" "$folder/plain.png"
    rm -r "$theirs"
    [ "$output" = "undertone: the daemon on this socket belongs to another user, number 65534" ]
    wait "$other" || true
    [ ! -s "$home/heard" ]
}

@test "helps everywhere" {
    for command in '' color palette indicator theme transition watch status send socket; do
        # shellcheck disable=SC2086 # No word where there is no command.
        run -0 undertone $command --help
        [[ $output == "Usage:"*"undertone${command:+ $command} [OPTION…]"* ]]
        # shellcheck disable=SC2086
        run -0 undertone $command --version
        [[ $output == "undertone "[0-9]* ]]
    done
    LC_ALL=C run -0 undertoned --help
    [[ ${lines[1]} == *" [OPTION…]" ]]
}
