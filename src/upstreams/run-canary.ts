import { askOnce } from './ask-once.ts'
import type { Upstream, UpstreamModel } from './contract.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

const timeoutMs = 30_000
const maxTokens = 8

export const canaryModel = ({ models }: Upstream): UpstreamModel | undefined =>
  models.find(({ kind }) => kind === 'chat')

/** Asks the first model of an upstream for a few tokens. Null: the answer is as it should be, or there is no canary. */
export const runCanary = async (upstream: Upstream, signal: AbortSignal): Promise<UpstreamProblem | null> => {
  const { canary } = upstream
  const model = canaryModel(upstream)
  if (canary === null || model === undefined) return null
  const { prompt } = canary
  const question = { model, prompt, maxTokens, temperature: 0, timeoutMs, signal }
  const { text, isCut, problem } = await askOnce(upstream, question)
  if (problem !== null) return problem
  if (canary.expect !== null && !text.toLowerCase().includes(canary.expect.toLowerCase()))
    return {
      fault: 'wrong_answer',
      reason: `The answer of ${model.upstreamName} to the canary does not contain the expected text.`,
    }
  // Reasoning that the model does not show may be all that fits.
  if (text.trim() === '' && !isCut)
    return { fault: 'wrong_answer', reason: `The answer of ${model.upstreamName} to the canary is empty.` }
  return null
}

/** One that is too busy is not wrong. */
export const passesCanary = async (upstream: Upstream, signal: AbortSignal): Promise<boolean> => {
  const problem = await runCanary(upstream, signal)
  return problem === null || problem.fault === 'busy'
}
