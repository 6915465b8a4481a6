/**
 * Some upstreams send the whole text so far with each chunk instead of the next part of it. Such a stream is recognised by
 * chunks that each begin with all of the chunk before; until that is certain, such chunks are held back.
 */
export interface CumulativeText {
  /** The text that this chunk adds. */
  push(chunk: string): string
  /** Every chunk is the next part of the text. */
  isIncremental(): boolean
  /** The stream has ended: the text that was held back. */
  flush(): string
}

/** Shorter text may well begin like this by chance: "a", "ab". */
const certainLength = 8
const certainChunks = 3

export const createCumulativeText = (): CumulativeText => {
  let mode: 'unknown' | 'cumulative' | 'incremental' = 'unknown'
  /** The text up to and including the last chunk, if the chunks are cumulative. */
  let whole = ''
  /** Chunks that were not passed on yet. */
  let held: string[] = []
  let chunks = 0
  let sentLength = 0

  const release = (): string => {
    const text = mode === 'cumulative' ? whole.slice(sentLength) : held.join('')
    held = []
    sentLength = whole.length
    return text
  }
  return {
    push(chunk) {
      if (mode === 'incremental' || chunk === '') return chunk
      chunks += 1
      if (chunks === 1) {
        whole = chunk
        sentLength = chunk.length
        return chunk
      }
      const extendsLast = chunk.length > whole.length && chunk.startsWith(whole)
      if (mode === 'cumulative') {
        if (!extendsLast) return whole.startsWith(chunk) ? '' : chunk
        whole = chunk
        return release()
      }
      held.push(chunk)
      if (!extendsLast) {
        mode = 'incremental'
        whole = ''
        return release()
      }
      whole = chunk
      if (chunks < certainChunks || chunk.length < certainLength) return ''
      mode = 'cumulative'
      return release()
    },
    isIncremental: () => mode === 'incremental',
    flush() {
      if (held.length > 0 && whole.length >= certainLength) mode = 'cumulative'
      return release()
    },
  }
}
