import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type LineWatch = {
  /** Everything written so far, without the line ends. */
  readonly lines: readonly string[]
  /** Resolves to the matching line with that number (1 is the first). Rejects when no more can come. */
  find(matches: (line: string) => boolean, count?: number): Promise<string>
}

/** Keeps the lines that a process writes and lets tests wait for them. */
export const watchLines = (stream: Readable): LineWatch => {
  const lines: string[] = []
  const arrivals = new EventEmitter().setMaxListeners(0)
  let ended = false
  createInterface({ input: stream })
    .on('line', (line) => {
      lines.push(line)
      arrivals.emit('change')
    })
    .on('close', () => {
      ended = true
      arrivals.emit('change')
    })
  const find = (matches: (line: string) => boolean, count = 1): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.filter(matches)[count - 1]
        if (found === undefined && !ended) return
        arrivals.off('change', look)
        if (found !== undefined) resolve(found)
        else reject(new Error(`The process ended without the line. It wrote:\n${lines.join('\n')}`))
      }
      arrivals.on('change', look)
      look()
    })
  return { lines, find }
}
