import { isRecord } from '../base/is-record.ts'
import type { ModelKind } from '../engine/contract.ts'
import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import { modelPath } from '../engine/remote/upstream-request.ts'
import { askOnce } from './ask-once.ts'
import { callUpstream } from './call-upstream.ts'
import type { Upstream, UpstreamModel } from './contract.ts'
import { listUpstreamModels, requestedName } from './list-upstream-models.ts'
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

/** With the models that it lists, if none are named. */
type WithListed = (listed: readonly UpstreamModel[]) => Upstream

/** Reads the list of models and generates a few tokens, embeds a word or scores one, which the upstream may bill. */
export const checkUpstream = async (known: Upstream, withListed: WithListed): Promise<UpstreamCheck> => {
  const { models, problem } = await listUpstreamModels(known)
  const upstream = models === null ? known : withListed(models)
  const listed = models?.map(({ upstreamName }) => upstreamName) ?? null
  // Some servers have no list. That is a problem only if the models are to be read from it.
  if (problem !== null && (problem.fault !== 'not_an_api' || upstream.models.length === 0))
    return { problem, listed, model: null }
  // Not every list has models of other kinds.
  const chatModels = upstream.models.filter(({ kind }) => kind === 'chat')
  const names = upstreamDialects[upstream.kind].listsModels ? listed : null
  const isListed = ({ upstreamName }: UpstreamModel): boolean =>
    names === null || names.includes(requestedName(upstream, upstreamName))
  const missing = chatModels.find((model) => !isListed(model))
  if (missing !== undefined) return { problem: noModel(missing.upstreamName, names ?? []), listed, model: null }
  const chosen = chatModels[0] ?? upstream.models[0]
  if (chosen === undefined)
    return { problem: { fault: 'no_model', reason: 'The upstream lists no models.' }, listed, model: null }
  const model = chosen.upstreamName
  const found = await checks[chosen.kind](upstream, chosen)
  // An upstream that answers wrongly does not work.
  return { problem: found ?? (await runCanary(upstream, new AbortController().signal)), listed, model }
}

const generate = async (upstream: Upstream, model: UpstreamModel): Promise<UpstreamProblem | null> => {
  const asked = { model, prompt: 'Reply with OK.', maxTokens: 16, timeoutMs: generationTimeoutMs }
  return (await askOnce(upstream, asked)).problem
}

/** For an endpoint that answers with a list. */
const listing = async (
  upstream: Upstream,
  { upstreamName: model }: UpstreamModel,
  { path, input, list, name }: Listing,
) => {
  const body = { model, ...input }
  const call = { method: 'POST', path: modelPath(upstream, model, path), body, timeoutMs: generationTimeoutMs } as const
  const { json, problem } = await callUpstream(upstream, call)
  if (problem !== null) return problem
  const isAnswer = isRecord(json) && Array.isArray(json[list])
  return isAnswer
    ? null
    : ({ fault: 'bad_answer', reason: `The answer of ${model} is not a list of ${name}.` } as const)
}
type Listing = { path: string; input: object; list: 'data' | 'results'; name: string }

const pairChecks = {
  score: { path: '/score', input: { text_1: 'OK', text_2: 'OK' }, list: 'data', name: 'scores' },
  rerank: { path: '/rerank', input: { query: 'OK', documents: ['OK'] }, list: 'results', name: 'scores' },
} as const satisfies Record<string, Listing>

const checks = {
  chat: generate,
  embedding: (upstream, model) =>
    listing(upstream, model, { path: '/embeddings', input: { input: 'OK' }, list: 'data', name: 'embeddings' }),
  rerank: (upstream, model) => listing(upstream, model, pairChecks[upstreamDialects[upstream.kind].pairs.path]),
} as const satisfies Record<ModelKind, (upstream: Upstream, model: UpstreamModel) => Promise<UpstreamProblem | null>>

const noModel = (missing: string, listed: readonly string[]): UpstreamProblem => {
  const shown = listed.slice(0, maxShown).join(', ') + (listed.length > maxShown ? ', …' : '')
  return { fault: 'no_model', reason: `The upstream has no model ${missing}. It lists: ${shown || 'none'}.` }
}
