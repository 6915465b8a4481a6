/** Spans that wait to be sent, as text. */
export interface SpanQueue {
  readonly size: number
  /** How many were left out because there was no space for them. */
  readonly dropped: number
  add(spans: readonly string[]): void
  /** The oldest, as many as one request may have. */
  takeSome(): string[]
}

const maxSpans = 8_192
const maxCharacters = 16 * 1024 * 1024
export const batchSpans = 512
/** Collectors accept 20 MiB by default. */
const batchCharacters = 4 * 1024 * 1024

/** Bounded in number and size: if the collector is away for long, the newest are left out and counted. */
export const createSpanQueue = (): SpanQueue => {
  let waiting: string[] = []
  let characters = 0
  let dropped = 0
  return {
    get size() {
      return waiting.length
    },
    get dropped() {
      return dropped
    },
    add(spans) {
      const added = spans.reduce((sum, { length }) => sum + length, 0)
      // All spans of a trace or none: a part of it would be misleading.
      if (waiting.length + spans.length > maxSpans || characters + added > maxCharacters) {
        dropped += spans.length
        return
      }
      waiting.push(...spans)
      characters += added
    },
    takeSome() {
      let taken = 0
      const end = waiting.findIndex(({ length }, index) => {
        taken += length
        return index >= batchSpans || (index > 0 && taken > batchCharacters)
      })
      const batch = end === -1 ? waiting : waiting.slice(0, end)
      waiting = end === -1 ? [] : waiting.slice(end)
      for (const { length } of batch) characters -= length
      return batch
    },
  }
}
