import { eachLimit, limitNames } from '../../../../src/config/limit-kinds.ts'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { decimalAmount, parseMicros } from '../../../../src/prices/decimal-amount.ts'
import type { Key, Limits, Scope } from '../../../platform/types.ts'
import { isCostLimit } from '../limits/limit-words.ts'

/** A key's limits and permissions as they were typed, before they are parsed. */
export type KeyDraft = {
  limits: Readonly<Record<LimitName, string>>
  rights: 'all' | 'some' | 'manage'
  /** Chosen where `rights` is `some`. */
  scopes: readonly Scope[]
  /** None: all. */
  models: readonly string[]
  networks: string
}
export type DraftField = LimitName | 'scopes' | 'models' | 'networks'

export { limitNames }

/** All scopes that call the model or read its answers. */
export const usualScopes: readonly Scope[] = ['chat', 'models', 'completions.read', 'completions.write']

const noText = eachLimit(() => '')
export const emptyDraft: KeyDraft = { limits: noText, rights: 'all', scopes: usualScopes, models: [], networks: '' }

/** As the fields show the limits that are set. Budgets in money are typed in units of the currency. */
export const limitTexts = (limits: Limits): Record<LimitName, string> =>
  eachLimit((name) => {
    const limit = limits[name]
    if (limit === null) return ''
    return isCostLimit(name) ? decimalAmount(limit) : String(limit)
  })

export const draftFromKey = ({ limits, scopes, models, networks }: Key): KeyDraft => ({
  limits: limitTexts(limits),
  rights: scopes.includes('manage') ? 'manage' : scopes.length === usualScopes.length ? 'all' : 'some',
  scopes,
  models: models ?? [],
  networks: networks?.join(', ') ?? '',
})

/** Null for an empty field, `'wrong'` for anything but a whole number of 1 or more. Thousands separators are allowed. */
export const readLimit = (text: string): number | null | 'wrong' => {
  const digits = text.normalize('NFKC').replace(/[\s,_']/g, '')
  if (digits === '') return null
  const count = /^\d{1,13}$/.test(digits) ? Number(digits) : 0
  return count >= 1 && count <= 1_000_000_000_000 ? count : 'wrong'
}

/** The same for an amount above 0 with at most six decimal places, in micros. */
const readAmount = (text: string): number | null | 'wrong' => {
  const digits = text.normalize('NFKC').replace(/[\s,_']/g, '')
  if (digits === '') return null
  return parseMicros(digits) || 'wrong'
}

export const readNamedLimit = (name: LimitName, text: string): number | null | 'wrong' =>
  isCostLimit(name) ? readAmount(text) : readLimit(text)

const readList = (text: string): string[] | null => {
  const items = text.split(/[\s,、]+/).filter((item) => item !== '')
  return items.length === 0 ? null : items
}

type ReadLimits = { limits: Limits; wrong: LimitName[] }

const readLimits = (texts: KeyDraft['limits']): ReadLimits => {
  const wrong: LimitName[] = []
  const read = (name: LimitName): number | null => {
    const limit = readNamedLimit(name, texts[name])
    if (limit !== 'wrong') return limit
    wrong.push(name)
    return null
  }
  return { limits: eachLimit(read), wrong }
}

/** What is sent to the server, which validates addresses and model names itself. */
export const readDraft = (draft: KeyDraft) => {
  const { limits, wrong } = readLimits(draft.limits)
  const scopes: readonly Scope[] = { all: usualScopes, some: draft.scopes, manage: ['manage'] as const }[draft.rights]
  const fields: DraftField[] = scopes.length === 0 ? [...wrong, 'scopes'] : wrong
  const models = draft.models.length === 0 ? null : draft.models
  return { wrong: fields, scopes, rest: { limits, models, networks: readList(draft.networks) } }
}
