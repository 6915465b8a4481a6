/** A stream such as standard error: what its reader has not taken yet waits in memory. */
export type OutputStream = {
  write(text: string | Uint8Array): boolean
  readonly writableLength: number
  once(event: 'drain', listener: () => void): unknown
}

type BoundedOutputOptions = {
  limitBytes: number
  /** Called once the reader continues, with the number of lines that were dropped. */
  onDropped(lines: number): void
}

/**
 * Writes to a stream whose reader may stall. Node keeps what is not read in memory without a limit; here what exceeds the limit is
 * dropped and counted, so a stalled reader costs log lines and nothing else.
 */
export const createBoundedOutput = (
  output: OutputStream,
  { limitBytes, onDropped }: BoundedOutputOptions,
): ((text: string | Uint8Array) => void) => {
  let dropped = 0
  return (text) => {
    // If nothing is unread, nothing would say when to go on.
    const fits = output.writableLength === 0 || output.writableLength + text.length <= limitBytes
    if (dropped === 0 && fits) {
      output.write(text)
      return
    }
    // Until it has caught up: single lines in between would look like a complete log.
    if (dropped === 0) {
      output.once('drain', () => {
        const lines = dropped
        dropped = 0
        onDropped(lines)
      })
    }
    dropped += countLines(text)
  }
}

const countLines = (text: string | Uint8Array): number =>
  (typeof text === 'string' ? text : new TextDecoder().decode(text)).split('\n').length - 1
