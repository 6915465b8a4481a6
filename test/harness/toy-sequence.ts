import type { Sequence, Shaping } from '../../src/engine/embedded/llama.ts'
import { toCandidates } from '../../src/engine/embedded/picking/candidates.ts'

export const toyEnd = 0

/** A language model small enough for paper: any function from the tokens so far to a logit for each token. */
export type ToyModel = (context: readonly number[]) => readonly number[]

/** A sequence that treats logits as llama.cpp does, but always takes the likeliest, and notes what was asked of it. */
export const createToySequence = (model: ToyModel) => {
  const asked: ('continue' | 'top' | 'all' | 'forget')[] = []
  const reads: number[][] = []
  let context: number[] = []
  const read = (tokens: readonly number[]): void => {
    reads.push([...tokens])
    context = context.concat(tokens)
  }
  const likelyNow = (count: number, shaping: Shaping) => {
    const shaped = shape(model(context), context, shaping)
    const sorted = [...shaped.entries()].sort(([, one], [, other]) => other - one).slice(0, count)
    const sum = sorted.reduce((total, [, logit]) => total + Math.exp(logit), 0)
    return new Map(sorted.map(([id, logit]) => [id, Math.exp(logit) / sum]))
  }
  const sequence: Sequence = {
    clear: async () => {
      context = []
      reads.length = 0
    },
    read: async (tokens) => read(tokens),
    async *continue(tokens, drawing) {
      asked.push('continue')
      for (let unread = tokens; ; ) {
        read(unread)
        const [best = 0] = likelyNow(1, drawing).keys()
        yield best
        unread = [best]
      }
    },
    async likely(tokens, count, shaping) {
      asked.push(count === 'all' ? 'all' : 'top')
      read(tokens)
      return toCandidates(likelyNow(count === 'all' ? Number.POSITIVE_INFINITY : count, shaping))
    },
    async forget() {
      asked.push('forget')
      context = context.slice(0, -1)
    },
  }
  return { sequence, asked, reads, context: () => context }
}

const shape = (logits: readonly number[], context: readonly number[], shaping: Shaping): number[] => {
  const bias = new Map(shaping.logitBias)
  return logits.map((logit, id) => {
    const biased = logit + (id === toyEnd ? 0 : (bias.get(id) ?? 0))
    const { repetitionPenalty: repetition } = shaping
    const repeated = context.includes(id) ? (biased > 0 ? biased / repetition : biased * repetition) : biased
    const count = shaping.answered.filter((said) => said === id).length
    return repeated - count * shaping.frequencyPenalty - (count > 0 ? shaping.presencePenalty : 0)
  })
}
