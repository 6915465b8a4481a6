import type { NodeStatus, UpstreamFigures } from './node-lease.ts'

/** Nodes of another version may say more, or less. */
export const readStatus = (text: string): NodeStatus | null => {
  const value: unknown = JSON.parse(text)
  if (!isStatus(value)) return null
  return isFigures(value.upstreams) ? value : { ...value, upstreams: [] }
}

const pauseReasons: readonly unknown[] = ['failures', 'busy', 'key_refused', 'canary', null]

const isFigures = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((one: Partial<Record<keyof UpstreamFigures, unknown>> | null) => {
    const { name, inFlight, requests, errors, outstandingTokens, pauseReason } = one ?? {}
    const figures = [inFlight, requests, errors, outstandingTokens]
    return (
      typeof name === 'string' &&
      pauseReasons.includes(pauseReason) &&
      figures.every((figure) => Number.isSafeInteger(figure))
    )
  })

const isStatus = (value: unknown): value is NodeStatus => {
  if (typeof value !== 'object' || value === null) return false
  const { running, waiting, memoryBytes, busy, models } = value as Partial<Record<keyof NodeStatus, unknown>>
  return [running, waiting, memoryBytes, busy].every((figure) => typeof figure === 'number') && isModels(models)
}

const isModels = (value: unknown): value is NodeStatus['models'] =>
  Array.isArray(value) &&
  value.every((model: unknown) => {
    if (typeof model !== 'object' || model === null) return false
    return 'id' in model && typeof model.id === 'string' && 'state' in model && typeof model.state === 'string'
  })
