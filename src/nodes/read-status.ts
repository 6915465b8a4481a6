import type { NodeStatus } from './node-lease.ts'

/** Nodes of another version may say more, or less. */
export const readStatus = (text: string): NodeStatus | null => {
  const value: unknown = JSON.parse(text)
  return isStatus(value) ? value : null
}

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
