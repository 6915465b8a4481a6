import type { NewKey } from '../platform/types.ts'

/**
 * The key that sign-up created, on its way to the welcome page. It is kept in memory only, never in a URL, in storage
 * or in the history, and is gone when the document is.
 */
let held: NewKey | null = null

export const holdFirstKey = (key: NewKey): void => {
  held = key
}

/** Null after a reload, or when the page is opened by its URL. */
export const firstKey = (): NewKey | null => held

/** Called when the welcome page is left. */
export const forgetFirstKey = (): void => {
  held = null
}
