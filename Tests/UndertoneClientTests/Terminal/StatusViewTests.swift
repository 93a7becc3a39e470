import Testing

@testable import UndertoneClient

@Suite struct StatusViewTests {
    @Test func showsWhateverThereIs() throws {
        let status = #"""
            {"version":"1.0.0","protocol":1,"operations":["color","status"],"formats":null,"errors":{},\#
            "limits":{"lineBytes":65536,"keepAliveSeconds":0.5},\#
            "sandbox":{"seccomp":true,"landlock":0,"warnings":[],"nested":{"someThing":false}}}
            """#
        #expect(
            StatusView.draw(
                try JSONDocument(parsing: Array(status.utf8)), socket: Array("/run/u.sock".utf8))
                    == """
                    version     1.0.0
                    protocol    1
                    operations  color, status
                    formats     not known
                    errors      none
                    socket      /run/u.sock

                    limits
                      line bytes          65536
                      keep alive seconds  0.5

                    sandbox
                      seccomp   yes
                      landlock  0
                      warnings  none
                      nested    some thing no

                    """)
    }

    @Test func spellsOutWhatActsOnTerminals() throws {
        let status = try JSONDocument(parsing: Array("{\"a\\u001b\":\"\\u001b[2J\"}".utf8))
        #expect(
            StatusView.draw(status, socket: Array("/\u{1b}c".utf8))
                == "a\\x1b   \\x1b[2J\nsocket  /\\x1bc\n")
    }
}
