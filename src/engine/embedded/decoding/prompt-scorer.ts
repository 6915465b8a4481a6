import type { PromptToken } from '../../contract.ts'
import type { Slice } from '../llama/native-batch.ts'
import { tokenLogprob } from '../sampling/token-logprob.ts'

/** Reports each token of a prompt once, with its log probability after the tokens before it. */
export interface PromptScorer {
  /** Whether tokens of the prompt up to this position, or the one after them, have not been reported yet. */
  needs(end: number): boolean
  /** The tokens that the logits of a slice are for. A slice may be read again after a pause. */
  read(slice: Pick<Slice, 'position' | 'tokens'>, logits: (token: number) => Float32Array): PromptToken[]
}

type ScorerOptions = {
  /** How many of the most likely tokens to report beside each. */
  top: number
  /** The bytes of a token; a special one is spelled out. */
  spelling: (id: number) => Uint8Array
}

export const createPromptScorer = (prompt: readonly number[], { top, spelling }: ScorerOptions): PromptScorer => {
  let reported = 0
  const needs = (end: number): boolean => reported < Math.min(end + 1, prompt.length)
  return {
    needs,
    read({ position, tokens }, logits) {
      const end = position + tokens.length
      const found: PromptToken[] = []
      for (; needs(end); reported += 1) {
        const id = prompt[reported] ?? 0
        const logprob = reported === 0 ? null : tokenLogprob(logits(reported - 1 - position), id, top, spelling)
        found.push({ id, bytes: spelling(id), logprob })
      }
      return found
    },
  }
}
