import { type LlamaApi, type Pointer, viewAddresses, viewBytes, viewFloats, viewInts } from '../llama/llama-api.ts'
import type { OpenTokenTable } from './token-table.ts'

type EmbeddingBatchOptions = {
  context: Pointer
  capacity: number
  vectorLength: number
  /** Of a model without the vectors of its tokens; null otherwise. */
  table: OpenTokenTable | null
  /** Throws if the result of `llama_decode` is a failure. */
  check: (code: number) => void
}

/** llama.cpp's batch with one sequence per input, written in place. */
export const createEmbeddingBatch = (api: LlamaApi, options: EmbeddingBatchOptions) => {
  const { context, capacity, vectorLength, table, check } = options
  const width = table?.width ?? 0
  const batch = api.llama_batch_init(capacity, width, 1)
  const token = table === null ? viewInts(batch.token, capacity) : null
  const embeddings = viewFloats(batch.embd, capacity * width)
  const position = viewInts(batch.pos, capacity)
  const sequences = Array.from(viewAddresses(batch.seq_id, capacity), (address) => viewInts(address, 1))
  viewInts(batch.n_seq_id, capacity).fill(1)
  // Pooling needs the output of every token.
  viewBytes(batch.logits, capacity).fill(1)
  const memory = api.llama_get_memory(context)

  const fill = (inputs: readonly Uint32Array[]): number => {
    let used = 0
    for (const [input, tokens] of inputs.entries())
      for (const [index, id] of tokens.entries()) {
        const sequence = sequences[used]
        if (sequence === undefined) throw new Error('the batch is full')
        sequence[0] = input
        if (token !== null) token[used] = id
        position[used] = index
        used += 1
      }
    table?.read(inputs, embeddings)
    return used
  }
  return {
    /** The pooled vectors of the inputs, in order: views that the next call overwrites. */
    async run(inputs: readonly Uint32Array[]): Promise<Float32Array[]> {
      const tokens = fill(inputs)
      // Encoders have no memory; other models start every input from nothing.
      if (memory !== null) api.llama_memory_clear(memory, false)
      const code = await api.llama_decode.inBackground(context, { ...batch, n_tokens: tokens })
      check(code)
      return inputs.map((_, input) => {
        const address = api.llama_get_embeddings_seq(context, input)
        if (address === null) throw new Error(`llama.cpp returned no vector for input ${input} of a batch`)
        return viewFloats(address, vectorLength)
      })
    },
    free: () => api.llama_batch_free(batch),
  }
}
