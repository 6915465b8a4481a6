import { ApiError } from '../base/api-error.ts'
import { keyError } from '../keys/key-error.ts'
import type { KeyRegistry, ShownKey } from '../keys/key-registry.ts'
import { commandLine } from '../platform/actor-of.ts'
import type { RevokeOutcome } from '../store/contract.ts'
import { type KeyJson, keyJson } from './key-json.ts'

type NewKey = Parameters<KeyRegistry['create']>[0]

export interface KeyControl {
  createKey(wanted: Omit<NewKey, 'organisationId' | 'createdBy'>): Promise<KeyJson & { key: string }>
  listKeys(): Promise<{ data: KeyJson[] }>
  revokeKey(key: string): Promise<{ id: string; outcome: RevokeOutcome }>
  rotateKey(key: string, rotation: { graceMs: number }): Promise<KeyJson & { key: string }>
}

export const createKeyControl = (keys: KeyRegistry): KeyControl => ({
  async createKey(wanted) {
    const made = await keys.by(commandLine).create(wanted)
    if (made.outcome !== 'created') throw keyError('', made)
    return { ...keyJson(made.record), key: made.key }
  },
  listKeys: async () => ({ data: (await keys.list('all')).map(keyJson) }),
  async revokeKey(text) {
    const id = (await findKey(keys, text))?.id ?? text
    return { id, ...(await keys.by(commandLine).revoke('all', id)) }
  },
  async rotateKey(text, { graceMs }) {
    const { id } = await requireKey(keys, text)
    const rotated = await keys.by(commandLine).rotate('all', id, graceMs)
    if (rotated.outcome !== 'rotated') throw keyError(id, rotated)
    return { ...keyJson(rotated.record), key: rotated.key }
  },
})

/** Finds a key by its ID or by its unique name; if several share the name, the only active one. */
export const findKey = async (keys: KeyRegistry, text: string): Promise<ShownKey | null> => {
  const byId = await keys.find('all', text)
  if (byId !== null) return byId
  const named = (await keys.list('all')).filter(({ name }) => name === text)
  const working = named.filter(({ state }) => state === 'active')
  const [found, ...others] = working.length === 0 ? named : working
  if (others.length > 0)
    throw ApiError.of('refused_value', {
      path: 'key',
      reason: `several keys are named '${text}'; use a key ID instead`,
    })
  return found ?? null
}

export const requireKey = async (keys: KeyRegistry, text: string): Promise<ShownKey> => {
  const key = await findKey(keys, text)
  if (key === null) throw keyError(text, { outcome: 'not_found' })
  return key
}
