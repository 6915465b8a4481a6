/** While a key belongs to an input method, its `keyCode` is this one. */
const inputMethodKey = 229

/**
 * Whether a key was pressed for an input method, as Enter is to choose a Japanese word. In Safari the word is already there when that Enter
 * arrives, and only its `keyCode` says so.
 */
export const isComposing = ({ isComposing: isUnfinished, keyCode }: KeyboardEvent): boolean =>
  isUnfinished || keyCode === inputMethodKey
