import { isRecord } from '../base/is-record.ts'
import { isModelName } from '../base/model-name.ts'
import type { UpstreamCapability } from '../config/upstream-names.ts'
import type { ModelKind } from '../engine/contract.ts'
import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import { modelsPath } from '../engine/remote/upstream-request.ts'
import { type CalledUpstream, callUpstream } from './call-upstream.ts'
import type { UpstreamModel } from './contract.ts'
import { defaultUpstreamModel } from './default-upstream.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

type Listed = { models: readonly UpstreamModel[]; problem: null } | { models: null; problem: UpstreamProblem }

const maxModels = 500
const timeoutMs = 10_000

/** The models that an upstream lists at `/v1/models`. Names that could not be requested are left out. */
export const listUpstreamModels = async (upstream: CalledUpstream): Promise<Listed> => {
  const { json, problem } = await callUpstream(upstream, { method: 'GET', path: modelsPath(upstream), timeoutMs })
  if (problem !== null) return { models: null, problem }
  // Together's list is in nothing.
  const data = isRecord(json) ? json.data : json
  if (!Array.isArray(data)) {
    const reason = `${upstream.baseUrl}/models did not answer with a list of models.`
    return { models: null, problem: { fault: 'not_an_api', reason } }
  }
  const models = new Map<string, UpstreamModel>()
  for (const item of data.slice(0, maxModels)) {
    if (!isRecord(item) || typeof item.id !== 'string') continue
    const id = requestedName(upstream, item.id)
    if (!isModelName(id) || /\s/.test(id) || isOfOtherKind(item)) continue
    const capabilities = readCapabilities(item)
    models.set(id, {
      ...defaultUpstreamModel,
      name: id,
      upstreamName: id,
      kind: readKind(item),
      isListed: true,
      contextTokens: readContext(item),
      capabilities,
    })
  }
  return { models: [...models.values()], problem: null }
}

/** The name in requests of a model that is called so in the list, or by the operator. */
export const requestedName = ({ kind }: Pick<CalledUpstream, 'kind'>, name: string): string => {
  const { listedPrefix } = upstreamDialects[kind]
  return name.startsWith(listedPrefix) ? name.slice(listedPrefix.length) : name
}

/** The field of Together, whose list has models that answer no endpoint here. */
const isOfOtherKind = ({ type }: Record<string, unknown>): boolean =>
  ['image', 'audio', 'video', 'transcribe', 'moderation'].some((one) => one === type)

/** The field of another Helix, and that of Together. Others do not say it: what they list is taken for chat models. */
const readKind = ({ kind, type }: Record<string, unknown>): ModelKind =>
  (['embedding', 'rerank'] as const).find((one) => one === kind || one === type) ?? 'chat'

/** The field of another Helix, and that of vLLM. */
const readContext = ({ context_length: ours, max_model_len: theirs }: Record<string, unknown>): number | null => {
  const tokens = ours ?? theirs
  return Number.isSafeInteger(tokens) && Number(tokens) > 0 ? Number(tokens) : null
}

/** The field of another Helix. Whether addresses of images may be passed on is up to the operator. */
const readCapabilities = ({ capabilities }: Record<string, unknown>): UpstreamCapability[] => {
  const listed: readonly unknown[] = Array.isArray(capabilities) ? capabilities : []
  return (['vision', 'audio'] as const).filter((one) => listed.includes(one))
}
