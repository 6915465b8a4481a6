/**
 * JSON can express half of a character, and some upstreams cut a text there. The first half waits for the second; a half
 * that stays alone becomes U+FFFD.
 */
export interface WholeCharacters {
  push(text: string): string
  /** Nothing waits. */
  isEmpty(): boolean
  flush(): string
}

export const createWholeCharacters = (): WholeCharacters => {
  let half = ''
  return {
    push(added) {
      if (added === '') return ''
      const text = half + added
      const last = text.charCodeAt(text.length - 1)
      const isHalf = last >= 0xd800 && last <= 0xdbff
      half = isHalf ? text.slice(-1) : ''
      return (isHalf ? text.slice(0, -1) : text).toWellFormed()
    },
    isEmpty: () => half === '',
    flush() {
      const rest = half.toWellFormed()
      half = ''
      return rest
    },
  }
}
