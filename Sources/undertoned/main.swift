import Glibc
import UndertoneServer

exit(Daemon.run())
