import type { OnRead, Slice } from '../../src/engine/embedded/llama/native-batch.ts'

/** Sequence memory as in llama.cpp, with any function from the tokens so far to a logit for each token. */
export const createToyLlama = (sequences: number, model: (context: readonly number[]) => readonly number[]) => {
  const contexts = Array.from({ length: sequences }, (): number[] => [])
  const batches: Slice[][] = []
  const inBackground: boolean[] = []
  let failure: Error | null = null
  let beforeStep = async (_step: number): Promise<void> => {}
  return {
    sequences,
    contextTokens: 8192,
    canRemoveEnd: true,
    contexts,
    batches,
    /** For each step, whether the thread of the loop was free meanwhile. */
    inBackground,
    /** Makes the next step throw this error. */
    failNext: (error: Error) => {
      failure = error
    },
    /** Runs before each step ends. */
    onStep: (run: (step: number) => Promise<void>) => {
      beforeStep = run
    },
    async decode(slices: readonly Slice[], onRead: OnRead, options: { inBackground?: boolean } = {}): Promise<void> {
      batches.push([...slices])
      inBackground.push(options.inBackground ?? false)
      await beforeStep(batches.length)
      const failed = failure
      failure = null
      if (failed) throw failed
      const singles = (slice: Slice): number => Number(slice.tokens.length === 1)
      const inOrder = [...slices.entries()].sort(([, one], [, other]) => singles(one) - singles(other))
      for (const [index, { sequence, position, tokens }] of inOrder) {
        const context = contexts[sequence]
        if (context?.length !== position)
          throw new Error(`sequence ${sequence} is at ${context?.length}, not ${position}`)
        context.push(...tokens)
        onRead(index, (token = tokens.length - 1) => Float32Array.from(model(context.slice(0, position + token + 1))))
      }
    },
    setThreads(): void {},
    keep(sequence: number, tokens: number): boolean {
      contexts[sequence]?.splice(tokens)
      return true
    },
    copy(source: number, target: number): void {
      contexts[target] = [...(contexts[source] ?? [])]
    },
    savedBytes: (sequence: number): number => 4 * (contexts[sequence]?.length ?? 0),
    save: (sequence: number): Uint8Array => new Uint8Array(Int32Array.from(contexts[sequence] ?? []).buffer),
    restore(sequence: number, saved: Uint8Array): boolean {
      contexts[sequence] = [...new Int32Array(saved.buffer)]
      return true
    },
  }
}
