import {
  type LlamaApi,
  type NativeBatch,
  type Pointer,
  viewAddresses,
  viewBytes,
  viewFloats,
  viewInts,
} from './llama-api.ts'

/** Consecutive tokens of one sequence. */
export type Slice = {
  sequence: number
  /** Position of the first token, from 0. */
  position: number
  tokens: readonly number[]
  /** Whether to compute the logits after the last token. */
  isSampled: boolean
  /** The tokens after the first are a draft: the logits after each token are computed. */
  isDraft?: boolean
}

/** The logits after a token of a slice, after its last one by default: a mutable view. */
export type LogitsOf = (slice: number, token?: number) => Float32Array

type NativeBatchOptions = { context: Pointer; capacity: number; vocabularyTokens: number }

/** llama.cpp's batch: native arrays that are written in place. */
export const createNativeBatch = (api: LlamaApi, { context, capacity, vocabularyTokens }: NativeBatchOptions) => {
  const batch = api.llama_batch_init(capacity, 0, 1)
  const token = viewInts(batch.token, capacity)
  const position = viewInts(batch.pos, capacity)
  const output = viewBytes(batch.logits, capacity)
  const sequences = Array.from(viewAddresses(batch.seq_id, capacity), (address) => viewInts(address, 1))
  viewInts(batch.n_seq_id, capacity).fill(1)
  /** One view per address, because llama.cpp reuses the same few addresses for its logits. */
  const views = new Map<bigint, Float32Array>()

  const fill = (slices: readonly Slice[]): number[] => {
    let used = 0
    return slices.map((slice) => {
      for (const [index, id] of slice.tokens.entries()) {
        const sequence = sequences[used]
        if (sequence === undefined) throw new Error('the batch is full')
        sequence[0] = slice.sequence
        token[used] = id
        position[used] = slice.position + index
        output[used] = slice.isDraft || (slice.isSampled && index === slice.tokens.length - 1) ? 1 : 0
        used += 1
      }
      return used - 1
    })
  }
  const logitsAt = (index: number): Float32Array => {
    const address = api.llama_get_logits_ith(context, index)
    const view = views.get(address) ?? viewFloats(address, vocabularyTokens)
    views.set(address, view)
    return view
  }
  /** Fills the batch; returns it, and the index of the last token of each slice. */
  const filled = (slices: readonly Slice[]) => {
    const last = fill(slices)
    return { last, native: { ...batch, n_tokens: (last.at(-1) ?? -1) + 1 } }
  }
  /**
   * Yields one batch after the other to be computed. llama.cpp computes sequences together only as far as they have
   * equally many tokens and their numbers follow each other in the batch; the rest it splits off, also from the middle of
   * a slice. So each longer slice is read by itself, and then the single tokens of all sequences in their order.
   */
  function* batchesOf(slices: readonly Slice[]): Generator<NativeBatch, LogitsOf, void> {
    if (slices.length === 1) {
      const { last, native } = filled(slices)
      yield native
      return (_, token = last[0] ?? -1) => logitsAt(token)
    }
    const kept = new Map<Slice, Float32Array>()
    for (const slice of slices) {
      if (slice.tokens.length === 1) continue
      if (slice.isDraft) throw new Error('a draft must be the only slice')
      const { last, native } = filled([slice])
      yield native
      // The next call overwrites them.
      if (slice.isSampled) kept.set(slice, logitsAt(last[0] ?? -1).slice())
    }
    const singles = slices
      .filter(({ tokens }) => tokens.length === 1)
      .sort((one, other) => one.sequence - other.sequence)
    if (singles.length > 0) yield filled(singles).native
    const rows = new Map(singles.map((slice, row) => [slice, row]))
    return (index) => {
      const slice = slices[index]
      if (slice === undefined) throw new Error('there is no such slice')
      return kept.get(slice) ?? logitsAt(rows.get(slice) ?? -1)
    }
  }
  return {
    /** See `Llama`. */
    async decode(slices: readonly Slice[], { inBackground = false } = {}): Promise<LogitsOf> {
      const batches = batchesOf(slices)
      for (;;) {
        const next = batches.next()
        if (next.done) return next.value
        const code = inBackground
          ? await api.llama_decode.inBackground(context, next.value)
          : api.llama_decode(context, next.value)
        if (code !== 0) throw new Error(`llama_decode failed with code ${code}`)
      }
    },
    free: () => api.llama_batch_free(batch),
  }
}
