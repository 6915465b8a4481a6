import { parseJsonText } from '../../src/base/parse-json-text.ts'

const maxPinned = 100

const place = (owner: string): string => `helix-pinned-${owner}`

/** The ids of the prompts that an account pinned in this browser. */
export const pinnedPrompts = (owner: string): ReadonlySet<string> => {
  try {
    const list: unknown = parseJsonText(localStorage.getItem(place(owner)) ?? '[]')
    return new Set(Array.isArray(list) ? list.filter((id) => typeof id === 'string').slice(0, maxPinned) : [])
  } catch {
    return new Set()
  }
}

export const rememberPinned = (owner: string, pinned: ReadonlySet<string>): void => {
  try {
    localStorage.setItem(place(owner), JSON.stringify([...pinned].slice(-maxPinned)))
  } catch {
    // Storage may be forbidden; they are pinned for this visit.
  }
}
