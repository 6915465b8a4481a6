import { PlatformError } from '../../../platform/platform-error.ts'
import type { UpstreamTextName } from './upstream-fields.ts'

/** The fields of an upstream as the server names them, and those of the form. */
const names: Readonly<Record<string, UpstreamTextName>> = {
  ...{ name: 'name', url: 'url', key: 'key', models: 'models', maxInFlight: 'maxInFlight' },
  ...{ apiVersion: 'apiVersion', features: 'features', capabilities: 'capabilities', builtInTools: 'builtInTools' },
  ...{ connectTimeoutMs: 'connectSeconds', firstByteTimeoutMs: 'firstByteSeconds', silenceTimeoutMs: 'silenceSeconds' },
}

export type WrongField = { field: UpstreamTextName | null; text: string }

/** Which field the server refuses, and why, in English; null if it refuses none. */
export const wrongField = (error: unknown): WrongField | null => {
  if (!(error instanceof PlatformError) || error.code !== 'invalid_upstream') return null
  const [, name = '', reason] = /^upstream(?: \([^)]*\))?, (\w+): (.*)$/s.exec(error.message) ?? []
  const field = Object.hasOwn(names, name) ? (names[name] ?? null) : null
  return field === null || reason === undefined ? { field: null, text: error.message } : { field, text: reason }
}
