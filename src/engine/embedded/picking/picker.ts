import type { TokenLogprob } from '../../contract.ts'
import type { FullSampling } from '../../sampling.ts'
import type { Sequence, Shaping } from '../llama.ts'
import { addToCandidates, type Candidates } from './candidates.ts'
import { pick } from './pick.ts'
import { createRandom } from './random.ts'
import { tokenLogprob } from './token-logprob.ts'

export type PickedToken = { id: number; logprob?: TokenLogprob }

/** Each way reads the tokens it is given and picks the one that follows; null where none is allowed. */
interface Picker {
  top(unread: readonly number[]): Promise<PickedToken | null>
  full(unread: readonly number[]): Promise<PickedToken | null>
  /** The tokens have been read, but what was drawn behind them is not allowed. */
  again(read: readonly number[]): Promise<PickedToken | null>
}

type PickerOptions = {
  sequence: Sequence
  answered: readonly number[]
  sampling: FullSampling
  allows: (id: number) => boolean
  tokenBytes: (id: number) => Uint8Array
}

/** Hardly ever is none of so many allowed by a grammar that the model was asked to write. */
const topCandidates = 256

export const createPicker = ({ sequence, answered, sampling, allows, tokenBytes }: PickerOptions): Picker => {
  const { topLogprobs, repetitionPenalty } = sampling
  const random = createRandom(sampling.seed)
  const shaped: Shaping = { ...sampling, answered }
  const raw: Shaping = { ...shaped, logitBias: [], repetitionPenalty: 1, frequencyPenalty: 0, presencePenalty: 0 }
  const punished: Shaping = { ...raw, repetitionPenalty }
  const pickFrom = (candidates: Candidates): PickedToken | null => {
    const id = pick(candidates, { ...sampling, allows }, random)
    return id === null ? null : { id }
  }
  const readAgain = async (read: readonly number[], shaping: Shaping): Promise<Candidates> => {
    await sequence.forget()
    return sequence.likely(read.slice(-1), 'all', shaping)
  }
  const again = async (read: readonly number[]) => pickFrom(await readAgain(read, shaped))
  return {
    again,
    async top(unread) {
      return pickFrom(await sequence.likely(unread, topCandidates, shaped)) ?? again(unread)
    },
    async full(unread) {
      const told = await sequence.likely(unread, 'all', topLogprobs === null ? punished : raw)
      // The repetition penalty multiplies logits, which probabilities do not tell: only llama.cpp can do it.
      const rated = topLogprobs === null || repetitionPenalty === 1 ? told : await readAgain(unread, punished)
      const picked = pickFrom(addToCandidates(rated, additions(sampling, answered)))
      if (picked === null || topLogprobs === null) return picked
      return { ...picked, logprob: tokenLogprob(told, picked.id, topLogprobs, tokenBytes) }
    },
  }
}

/** What bias, frequency and presence penalty add to logits; they are sums, so logarithms of probabilities will do. */
const additions = (sampling: FullSampling, answered: readonly number[]): Map<number, number> => {
  const { logitBias, frequencyPenalty, presencePenalty } = sampling
  const added = new Map<number, number>(logitBias)
  if (frequencyPenalty === 0 && presencePenalty === 0) return added
  const counts = new Map<number, number>()
  for (const id of answered) counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const [id, count] of counts) added.set(id, (added.get(id) ?? 0) - count * frequencyPenalty - presencePenalty)
  return added
}
