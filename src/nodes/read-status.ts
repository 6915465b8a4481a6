import { isRecord } from '../base/is-record.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { pauseReasons } from '../config/upstream-names.ts'
import { isNodeChecks } from './node-check.ts'
import type { NodeStatus, UpstreamFigures } from './node-lease.ts'

/** Nodes of another version may report more fields, or fewer. */
export const readStatus = (text: string): NodeStatus | null => {
  const value = parseJsonText(text)
  if (!isStatus(value)) return null
  const { checks, ...others } = value
  return {
    ...{ ...unsaid, ...others },
    upstreams: isFigures(value.upstreams) ? value.upstreams : [],
    secretKeys: isTexts(value.secretKeys) ? value.secretKeys : [],
    ...(isNodeChecks(checks) ? { checks } : {}),
  }
}

/** Defaults for what earlier versions do not report. */
const unsaid = { engineMemoryBytes: null, gpus: [], gpuFault: null }
type WrittenStatus = Omit<NodeStatus, keyof typeof unsaid> & Partial<Pick<NodeStatus, keyof typeof unsaid>>

const reasons: readonly unknown[] = [...pauseReasons, null]

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const isFigures = (value: unknown): value is readonly UpstreamFigures[] =>
  Array.isArray(value) &&
  value.every((one: Partial<Record<keyof UpstreamFigures, unknown>> | null) => {
    const { name, inFlight, requests, errors, outstandingTokens, pauseReason } = one ?? {}
    const figures = [inFlight, requests, errors, outstandingTokens]
    return (
      typeof name === 'string' &&
      reasons.includes(pauseReason) &&
      figures.every((figure) => Number.isSafeInteger(figure))
    )
  })

const isStatus = (value: unknown): value is WrittenStatus => {
  if (!isRecord(value)) return false
  const { running, waiting, memoryBytes, busy, models, engineMemoryBytes, gpus, gpuFault } = value
  const figures = [running, waiting, memoryBytes, busy, engineMemoryBytes ?? 0]
  return (
    figures.every((figure) => typeof figure === 'number') &&
    typeof (gpuFault ?? '') === 'string' &&
    isTexts(gpus ?? []) &&
    isModels(models)
  )
}

const isModels = (value: unknown): value is NodeStatus['models'] =>
  Array.isArray(value) &&
  value.every((model: unknown) => {
    if (typeof model !== 'object' || model === null) return false
    return 'id' in model && typeof model.id === 'string' && 'state' in model && typeof model.state === 'string'
  })
