/** Follows whether a text of JSON is inside a string. */
export interface StringTracker {
  read(text: string): void
  readonly isInside: boolean
}

/** Of a text that is no object or array of JSON, everything counts as inside. */
export const createStringTracker = (): StringTracker => {
  let isJson: boolean | null = null
  let isInside = false
  let isEscaped = false
  return {
    get isInside() {
      return isJson !== true || isInside
    },
    read(text) {
      isJson ??= isObject(text)
      if (isJson !== true) return
      for (const character of text) {
        if (isEscaped) isEscaped = false
        else if (character === '"') isInside = !isInside
        else if (character === '\\') isEscaped = isInside
      }
    },
  }
}

/** Null while nothing but white space is known. */
const isObject = (text: string): boolean | null => {
  const begun = text.trimStart()
  return begun === '' ? null : begun.startsWith('{') || begun.startsWith('[')
}
