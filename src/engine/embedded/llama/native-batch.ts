import { type LlamaApi, type Pointer, viewAddresses, viewBytes, viewFloats, viewInts } from './llama-api.ts'

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
  /** The logits after each token are computed, for the log probabilities of the tokens that follow. */
  isScored?: boolean
}

/**
 * Called as soon as a slice has been read. `logits`: those after a token of the slice, after its last one by default, if they
 * were asked for: a mutable view, which the next batch overwrites.
 */
export type OnRead = (slice: number, logits: (token?: number) => Float32Array) => void

type NativeBatchOptions = {
  context: Pointer
  capacity: number
  vocabularyTokens: number
  /** Throws if the result of `llama_decode` is a failure. */
  check: (code: number) => void
}

/** llama.cpp's batch: native arrays that are written in place. */
export const createNativeBatch = (api: LlamaApi, options: NativeBatchOptions) => {
  const { context, capacity, vocabularyTokens, check } = options
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
        output[used] = slice.isDraft || slice.isScored || (slice.isSampled && index === slice.tokens.length - 1) ? 1 : 0
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
  const decode = async (slices: readonly Slice[], inBackground: boolean): Promise<number[]> => {
    const last = fill(slices)
    const native = { ...batch, n_tokens: (last.at(-1) ?? -1) + 1 }
    const code = inBackground ? await api.llama_decode.inBackground(context, native) : api.llama_decode(context, native)
    check(code)
    return last
  }
  return {
    /**
     * See `Llama`. llama.cpp computes sequences together only as far as they have equally many tokens and their numbers
     * follow each other in the batch; the rest it splits off, also from the middle of a slice. So each longer slice is read
     * by itself, and then the single tokens of all sequences in their order.
     */
    async decode(slices: readonly Slice[], onRead: OnRead, { inBackground = false } = {}): Promise<void> {
      const singles: { index: number; slice: Slice }[] = []
      for (const [index, slice] of slices.entries()) {
        if (slice.tokens.length === 1) singles.push({ index, slice })
        else {
          if (slice.isDraft && slices.length > 1) throw new Error('a draft must be the only slice')
          const [last = -1] = await decode([slice], inBackground)
          onRead(index, (token = last) => logitsAt(token))
        }
      }
      if (singles.length === 0) return
      singles.sort((one, other) => one.slice.sequence - other.slice.sequence)
      await decode(
        singles.map(({ slice }) => slice),
        inBackground,
      )
      for (const [row, { index }] of singles.entries()) onRead(index, () => logitsAt(row))
    },
    free: () => api.llama_batch_free(batch),
  }
}
