import { PlatformError } from '../../../platform/platform-error.ts'
import type { UpstreamTextName } from './upstream-fields.ts'
import type { UpstreamProblems } from './upstream-problems.ts'

/** The fields of an upstream as the server names them, and those of the form. */
const names: Readonly<Record<string, UpstreamTextName>> = {
  ...{ name: 'name', url: 'url', key: 'key', models: 'models', maxInFlight: 'maxInFlight', price: 'promptPrice' },
  ...{ apiVersion: 'apiVersion', features: 'features', capabilities: 'capabilities', builtInTools: 'builtInTools' },
  ...{ connectTimeoutMs: 'connectSeconds', firstByteTimeoutMs: 'firstByteSeconds', silenceTimeoutMs: 'silenceSeconds' },
  canary: 'canaryPrompt',
}

/** `other`: what belongs to no field; null: nothing. */
export type WrongFields = { fields: UpstreamProblems; other: string | null }

/** Which fields the server refuses, and why, in English; null if it refuses none. `nameTaken`: what to say of a name that another upstream has. */
export const wrongFields = (error: unknown, nameTaken?: string): WrongFields | null => {
  if (!(error instanceof PlatformError)) return null
  if (error.code === 'upstream_exists' && nameTaken !== undefined) return { fields: { name: nameTaken }, other: null }
  if (error.code !== 'invalid_upstream') return null
  const fields: UpstreamProblems = {}
  const others: string[] = []
  for (const part of error.message.split(/; (?=upstream(?: \([^)]*\))?, \w+: )/)) {
    const [, name = '', reason] = /^upstream(?: \([^)]*\))?, (\w+): (.*)$/s.exec(part) ?? []
    const field = Object.hasOwn(names, name) ? names[name] : undefined
    if (field === undefined || reason === undefined) others.push(part)
    else fields[field] = reason
  }
  return { fields, other: others.length === 0 ? null : others.join(' ') }
}
