import type { ModelKind } from '../engine/contract.ts'
import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import { callUpstream } from './call-upstream.ts'
import type { Upstream } from './contract.ts'
import { entryKind } from './entries-by-name.ts'
import { listUpstreamModels } from './list-upstream-models.ts'
import { runCanary } from './run-canary.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

export type UpstreamCheck = {
  /** Null: it answers. */
  problem: UpstreamProblem | null
  /** What it lists at `/v1/models`; null if it has no list. */
  listed: readonly string[] | null
  /** The model that generated, as the upstream calls it; null if it did not get so far. */
  model: string | null
}

const generationTimeoutMs = 60_000
const maxShown = 5

/** Reads the list of models and generates a few tokens, embeds a word or scores one, which the upstream may bill. */
export const checkUpstream = async (upstream: Upstream): Promise<UpstreamCheck> => {
  const { models, problem } = await listUpstreamModels(upstream)
  const listed = models?.map(({ upstreamName }) => upstreamName) ?? null
  const named = upstream.models.map(({ upstreamName }) => upstreamName)
  // Some servers have no list. That is a problem only if the models are to be read from it.
  if (problem !== null && (problem.fault !== 'not_an_api' || named.length === 0))
    return { problem, listed, model: null }
  // The list that was read has chat models only.
  const chatModels = upstream.models.filter((model) => entryKind({ model }) === 'chat')
  const missing = listed === null ? undefined : chatModels.find(({ upstreamName: name }) => !listed.includes(name))
  if (missing !== undefined) return { problem: noModel(missing.upstreamName, listed ?? []), listed, model: null }
  const chosen = chatModels[0] ?? upstream.models[0]
  const model = chosen?.upstreamName ?? listed?.[0]
  if (model === undefined)
    return { problem: { fault: 'no_model', reason: 'The upstream lists no models.' }, listed, model: null }
  const found = await checks[chosen === undefined ? 'chat' : entryKind({ model: chosen })](upstream, model)
  // An upstream that answers wrongly does not work.
  return { problem: found ?? (await runCanary(upstream, new AbortController().signal)), listed, model }
}

const generate = async (upstream: Upstream, model: string): Promise<UpstreamProblem | null> => {
  const body = {
    model,
    messages: [{ role: 'user', content: 'Reply with OK.' }],
    [upstreamDialects[upstream.kind].maxTokens]: 16,
  }
  const call = { method: 'POST', path: '/chat/completions', body, timeoutMs: generationTimeoutMs } as const
  const { json, problem } = await callUpstream(upstream, call)
  if (problem !== null) return problem
  const isAnswer = typeof json === 'object' && json !== null && 'choices' in json && Array.isArray(json.choices)
  return isAnswer ? null : { fault: 'bad_answer', reason: `The answer of ${model} is not a chat completion.` }
}

/** For an endpoint that answers with a list. */
const listing =
  (path: string, input: object, name: string) =>
  async (upstream: Upstream, model: string): Promise<UpstreamProblem | null> => {
    const body = { model, ...input }
    const call = { method: 'POST', path, body, timeoutMs: generationTimeoutMs } as const
    const { json, problem } = await callUpstream(upstream, call)
    if (problem !== null) return problem
    const isAnswer = typeof json === 'object' && json !== null && 'data' in json && Array.isArray(json.data)
    return isAnswer ? null : { fault: 'bad_answer', reason: `The answer of ${model} is not a list of ${name}.` }
  }

const checks = {
  chat: generate,
  embedding: listing('/embeddings', { input: 'OK' }, 'embeddings'),
  rerank: listing('/score', { text_1: 'OK', text_2: 'OK' }, 'scores'),
} as const satisfies Record<ModelKind, unknown>

const noModel = (missing: string, listed: readonly string[]): UpstreamProblem => {
  const shown = listed.slice(0, maxShown).join(', ') + (listed.length > maxShown ? ', …' : '')
  return { fault: 'no_model', reason: `The upstream has no model ${missing}. It lists: ${shown || 'none'}.` }
}
