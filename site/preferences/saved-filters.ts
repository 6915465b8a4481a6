import { isRecord } from '../../src/base/is-record.ts'
import { parseJsonText } from '../../src/base/parse-json-text.ts'

/** A filter under a name, as the address of its page has it. */
export type SavedFilter = { name: string; address: Readonly<Record<string, string>> }

export const maxSavedFilters = 20

const place = (owner: string): string => `helix-filters-${owner}`

/** The filters that an account saved in this browser; what cannot be read is left out. */
export const savedFilters = (owner: string): readonly SavedFilter[] => {
  try {
    const list: unknown = parseJsonText(localStorage.getItem(place(owner)) ?? '[]')
    return Array.isArray(list) ? list.flatMap(readFilter).slice(0, maxSavedFilters) : []
  } catch {
    return []
  }
}

export const rememberFilters = (owner: string, filters: readonly SavedFilter[]): void => {
  try {
    localStorage.setItem(place(owner), JSON.stringify(filters.slice(0, maxSavedFilters)))
  } catch {
    // Storage may be forbidden; the filter still holds for this visit.
  }
}

const readFilter = (value: unknown): SavedFilter[] => {
  if (!isRecord(value) || typeof value.name !== 'string' || !isRecord(value.address)) return []
  const texts = Object.entries(value.address).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text]] : [],
  )
  return [{ name: value.name, address: Object.fromEntries(texts) }]
}
