/** What a build tells the server that started it, as messages between the two processes. */
export type BuildProgress = {
  /** How many files there are by now. */
  files: number
  /** Whether the draft has an index: it can be read, and lacks nothing but the documentation. */
  hasPages: boolean
}
