#!/usr/bin/env bats
# The shell examples against a live daemon.
# shellcheck disable=SC2154,SC2016 # Variables of helpers.bash; scripts for other shells.

bats_require_minimum_version 1.5.0
load helpers

setup_file() { start_daemon; }
teardown_file() { stop_daemon; }

setup() { PATH=$repository/examples/shell:$PATH; }

@test "ask-one takes any name" {
    for index in "${!hostile_names[@]}"; do
        run -0 ask-one "$folder/${hostile_names[index]}"
        [ "$output" = "#${colors[index]} #ffffff" ] || [ "$output" = "#${colors[index]} #000000" ]
    done
}

@test "ask-one takes a relative name" {
    cd "$folder"
    run -0 ask-one plain.png
    [ "$output" = "#2a6a52 #ffffff" ]
}

@test "ask-one fails with the daemon's message" {
    run -1 ask-one "$folder/absent"
    [[ $output == "ask-one: "* ]]
}

@test "ask-one fails without a daemon" {
    UNDERTONE_SOCKET=$home/none run ask-one "$folder/plain.png"
    [ "$status" -ne 0 ]
    [[ $output == *"No such file"* ]]
}

@test "ask-one says when there is nothing to see" {
    mkdir -p "$home/clear"
    picture 00000000 "$home/clear/a.png"
    run -1 ask-one "$home/clear/a.png"
    [ "$output" = "ask-one: nothing of the picture can be seen" ]
}

@test "all say what they need" {
    run -2 ask-one
    [ "$output" = "usage: ask-one FILE" ]
    run -2 ask-folder
    [ "$output" = "usage: ask-folder FOLDER" ]
    run -2 theme-xresources
    [ "$output" = "usage: theme-xresources FILE" ]
    run -1 ask-folder "$home/absent"
    [[ $output == "ask-folder: not a folder: "* ]]
    UNDERTONE_SOCKET=$home/none run bash -c 'printf "x\0" | while-read'
    [ "$status" -ne 0 ]
}

@test "ask-folder pairs names and colours in order" {
    run -0 ask-folder "$folder"
    [ "${#lines[@]}" -eq "${#hostile_names[@]}" ]
    for index in "${!hostile_names[@]}"; do
        quoted=$(printf %q "${hostile_names[index]}")
        grep -qaE "^#${colors[index]}	#[0f]{6}	" <<<"$output"
        [[ $output == *"#${colors[index]}	#"??????"	$quoted"* ]]
    done
}

@test "ask-folder tells files that are no pictures" {
    mkdir -p "$home/mixed"
    picture 2a6a52 "$home/mixed/a.png"
    echo text >"$home/mixed/b.txt"
    : >"$home/mixed/c.png"
    picture 00000000 "$home/mixed/d.png"
    cd "$home"
    run -0 ask-folder mixed
    [ "${lines[0]}" = "#2a6a52	#ffffff	a.png" ]
    [ "${lines[1]}" = "-	unsupported_format	b.txt" ]
    [ "${lines[2]}" = "-	decode_failed	c.png" ]
    [ "${lines[3]}" = "-	-	d.png" ]
}

@test "ask-folder prints nothing for an empty folder" {
    mkdir -p "$home/empty"
    run -0 ask-folder "$home/empty"
    [ -z "$output" ]
}

# Reads some questions, answers with one line, and ends: answering COUNT LINE
answering() {
    rm -f "$home/liar"
    printf '%s\n' "$2" >"$home/line"
    printf '#!/bin/sh\nhead -n %d >/dev/null\ncat "$home/line"\n' "$1" >"$home/lie"
    chmod +x "$home/lie"
    socat "UNIX-LISTEN:$home/liar" "EXEC:$home/lie" 3>&- &
    liar=$!
    for _ in {1..1200}; do
        [ -S "$home/liar" ] && break
        sleep 0.05
    done
    export UNDERTONE_SOCKET=$home/liar
}

@test "ask-folder says that the daemon has ended in the middle" {
    answering "${#hostile_names[@]}" \
        '{"result":{"background":"#102030","foreground":{"color":"#ffffff"}}}'
    run -2 --separate-stderr ask-folder "$folder"
    wait "$liar" || true
    [ "${#lines[@]}" -eq 1 ]
    [[ ${lines[0]} == "#102030	#ffffff	"* ]]
    [[ $stderr == *"ask-folder: the daemon has not answered about "*" and what comes after it" ]]
}

@test "ask-folder says that the daemon refuses to answer" {
    answering "${#hostile_names[@]}" '{"id":null,"error":{"code":"busy","message":"too many"}}'
    run -2 --separate-stderr ask-folder "$folder"
    wait "$liar" || true
    [ -z "$output" ]
    [[ $stderr == *"ask-folder: the daemon does not answer: too many"* ]]
}

@test "while-read says that nobody answers, however soon that is known" {
    for pause in true 'sleep 0.5'; do
        UNDERTONE_SOCKET=$home/none run -1 --separate-stderr \
            bash -c "{ $pause; printf 'x\\0'; } | while-read"
        [ -z "$output" ]
        [[ $stderr == *"while-read: the daemon has not answered" ]]
    done
}

@test "theme-xresources prints every colour once" {
    run -0 theme-xresources "$folder/"$'line\nbreak.png'
    [ "${#lines[@]}" -eq 19 ]
    for name in background foreground cursorColor color{0..15}; do
        [ "$(grep -cE "^\*\.$name: #[0-9a-f]{6}\$" <<<"$output")" -eq 1 ]
    done
    run -1 theme-xresources "$folder/absent"
    [[ $output == "theme-xresources: "* ]]
    picture 00000000 "$home/clear.png"
    run -1 theme-xresources "$home/clear.png"
    [[ $output == "theme-xresources: nothing of the picture"* ]]
}

@test "while-read answers each name as it comes" {
    run -0 bash -c 'printf "%s\0" "$@" absent | while-read' _ \
        "$folder/plain.png" "$folder/"$'line\nbreak.png' "$folder/"$'invalid \xff\xfe utf-8.png'
    [ "${lines[0]}" = "dark	$folder/plain.png" ]
    [[ ${lines[1]} == dark* ]]
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[3]} == "not_found	"*/absent ]]
}

@test "while-read does not wait for more names" {
    mkfifo "$home/names"
    while-read <"$home/names" >"$home/answers" 3>&- &
    reader=$!
    exec 9>"$home/names"
    printf '%s\0' "$folder/plain.png" >&9
    for _ in {1..1200}; do
        [ -s "$home/answers" ] && break
        sleep 0.05
    done
    [ "$(cat "$home/answers")" = "dark	$folder/plain.png" ]
    exec 9>&-
    wait "$reader"
}
