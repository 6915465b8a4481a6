import { base62Digits } from '../../../../src/base/base62.ts'
import type { SavedConversation } from './playground-store.ts'

const digits = 24

/** A conversation that the history does not have yet, or not under its id any more. Ids have the form of the server's. */
export const newConversation = (mark = ''): SavedConversation => {
  const random = [...crypto.getRandomValues(new Uint32Array(digits))]
  const id = random.map((number) => base62Digits.charAt(number % base62Digits.length)).join('')
  return { id: `cnv_${id}`, title: '', version: 0, mark, sent: [] }
}

/** Of so many pages in a row that were reloaded at once. */
const maxMarks = 16

export const withMark = (conversation: SavedConversation, mark: string): SavedConversation =>
  conversation.sent.includes(mark)
    ? conversation
    : { ...conversation, sent: [...conversation.sent, mark].slice(-maxMarks) }
