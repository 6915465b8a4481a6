import type { NewKey } from '../platform/types.ts'

/**
 * The key that sign-up made, on its way to the welcome page. It lives in this memory only, never in an address, in storage
 * or in the history: when the document goes, so does the key.
 */
let held: NewKey | null = null

export const holdFirstKey = (key: NewKey): void => {
  held = key
}

/** Null after a reload, or when somebody comes by address. */
export const firstKey = (): NewKey | null => held

/** Called when the welcome page is left. */
export const forgetFirstKey = (): void => {
  held = null
}
