// Two threads that add to one number: what the thread sanitizer has to find.

import Glibc

nonisolated(unsafe) var number = 0

let threads = (0..<2).map { _ in
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            for _ in 0..<1000 { number += 1 }
            return nil
        }, nil)
    return thread
}
for thread in threads { pthread_join(thread, nil) }
