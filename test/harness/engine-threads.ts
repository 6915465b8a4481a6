/**
 * Threads of the real engine in tests. Two of them wait for each other by spinning, so that on a machine with other work
 * the same answers took seven times as long as with one; and with one, two test files share two cores.
 */
export const engineThreads = 1
