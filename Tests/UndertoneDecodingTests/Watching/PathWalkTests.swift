import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

/// Paths through a tree that exists only here: which names are looked up in which directories.
@Suite struct PathWalkTests {
    private enum Entry {
        case directory([String: Entry])
        case link(String)
        case file
    }

    private static let tree = Entry.directory([
        "home": .directory([
            "u": .directory([
                "a.png": .file, "link": .link("a.png"), "absolute": .link("/home/u/a.png"),
                "up": .link("../../srv/b.png"), "loop": .link("loop"), "first": .link("second"),
                "second": .link("first"), "chain": .link("link"), "folder": .link("/srv"),
                "gone": .link("nowhere/c.png"), "empty": .link(""),
                "dots": .link("./../u/./link"), "double": .link("double/double"),
            ])
        ]),
        "srv": .directory(["b.png": .file, "home": .link("../home")]),
    ])

    /// What is looked up, as `directory name`, and whether the walk led to a file.
    private func walk(_ path: String) -> (lookUps: [String], isFile: Bool) {
        var walk = PathWalk(Array(path.utf8))
        var names: [String] = []
        var lookUps: [String] = []
        while let step = walk.next() {
            switch step {
            case .root: names = []
            case .parent: _ = names.popLast()
            case .name(let bytes):
                let name = String(decoding: bytes, as: UTF8.self)
                lookUps.append("/" + names.joined(separator: "/") + " " + name)
                switch entry(names + [name]) {
                case .directory: names.append(name)
                case .link(let target):
                    guard walk.follow(Array(target.utf8)) else { return (lookUps, false) }
                case .file: return (lookUps, walk.isAtEnd)
                case nil: return (lookUps, false)
                }
            }
        }
        return (lookUps, false)
    }

    private func entry(_ names: [String]) -> Entry? {
        names.reduce(Self.tree) { entry, name in
            guard case .directory(let entries)? = entry else { return nil }
            return entries[name]
        }
    }

    @Test func eachNameIsLookedUpInTheDirectoryBeforeIt() {
        #expect(walk("/home/u/a.png") == (["/ home", "/home u", "/home/u a.png"], true))
    }

    @Test(arguments: ["//home///u//a.png", "/./home/./u/a.png", "/home/../home/u/../u/a.png"])
    func dotsAndSlashesAreNoNames(_ path: String) {
        let (lookUps, isFile) = walk(path)
        #expect(Set(lookUps) == ["/ home", "/home u", "/home/u a.png"])
        #expect(isFile)
    }

    @Test func aboveTheRootIsTheRoot() {
        #expect(walk("/../../srv/b.png") == (["/ srv", "/srv b.png"], true))
    }

    @Test func aLinkIsLookedUpAndThenItsTarget() {
        #expect(
            walk("/home/u/link")
                == (["/ home", "/home u", "/home/u link", "/home/u a.png"], true))
        #expect(
            walk("/home/u/absolute") == (
                ["/ home", "/home u", "/home/u absolute", "/ home", "/home u", "/home/u a.png"],
                true
            ))
        #expect(
            walk("/home/u/up")
                == (["/ home", "/home u", "/home/u up", "/ srv", "/srv b.png"], true))
    }

    @Test func everyLinkOfAChainIsLookedUp() {
        #expect(
            walk("/home/u/chain").lookUps.suffix(3)
                == ["/home/u chain", "/home/u link", "/home/u a.png"])
        #expect(
            walk("/home/u/dots").lookUps.suffix(4)
                == ["/home/u dots", "/home u", "/home/u link", "/home/u a.png"])
    }

    @Test func aLinkMayBeADirectoryOfThePath() {
        #expect(
            walk("/home/u/folder/b.png")
                == (["/ home", "/home u", "/home/u folder", "/ srv", "/srv b.png"], true))
        #expect(
            walk("/srv/home/u/a.png").lookUps
                == ["/ srv", "/srv home", "/ home", "/home u", "/home/u a.png"])
    }

    @Test func theWalkEndsWhereNothingIs() {
        #expect(walk("/home/nobody/x/y.png") == (["/ home", "/home nobody"], false))
        #expect(walk("/home/u/gone").lookUps.last == "/home/u nowhere")
        #expect(walk("/home/u/a.png/more").lookUps.last == "/home/u a.png")
        #expect(!walk("/home/u/a.png/more").isFile)
        #expect(!walk("/home/u").isFile)
        #expect(walk("/") == ([], false))
    }

    @Test(arguments: ["loop", "first", "double"])
    func linksThatGoInCirclesEnd(_ name: String) {
        let (lookUps, isFile) = walk("/home/u/\(name)")
        #expect(!isFile)
        // The two directories, and one more look-up than links are followed.
        #expect(lookUps.count == 2 + PathWalk.links + 1)
        #expect(Set(lookUps).count <= 4)
    }

    @Test func aLinkToNothingEnds() {
        #expect(walk("/home/u/empty") == (["/ home", "/home u", "/home/u empty"], false))
    }

    @Test func linksThatMultiplyAreNotFollowedForever() {
        var walk = PathWalk(Array("/a".utf8))
        #expect(walk.next() == .root)
        let target = Array(String(repeating: "a/", count: 2000).utf8)
        var followed = 0
        while case .name? = walk.next(), walk.follow(target) { followed += 1 }
        // Twice 2,000 names, less the one that was taken; three times are more than any path has.
        #expect(followed == 2)
    }
}
