/**
 * Threads of the real engine in tests. Two threads wait for each other by spinning, so on a busy machine the same
 * answers took seven times as long as with one; and with one, two test files can share two cores.
 */
export const engineThreads = 1
