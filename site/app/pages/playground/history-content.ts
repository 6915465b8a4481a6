import { contentLimitBytes } from '../../../../src/store/playground-contract.ts'
import { type PlaygroundContent, writeDraft } from './draft-content.ts'
import type { Turn } from './turns.ts'

/** What the history has of a conversation: all its versions as far as they fit, without what is being typed. */
export const writeConversation = (content: PlaygroundContent): string =>
  writeDraft({ ...content, draft: '', saved: null, conversation: null, leftOut: [] }, contentLimitBytes).text

const titleCharacters = 80

/** The start of the first message, as one line. */
export const conversationTitle = (turns: readonly Turn[], fallback: string): string => {
  const first = turns.find(({ kind, text }) => kind === 'sent' && text !== '')?.text ?? ''
  const line = first.replaceAll(/[\p{C}\u2028\u2029\s]+/gu, ' ').trim()
  const characters = [...line.slice(0, 4 * titleCharacters)]
  const title = characters.length > titleCharacters ? `${characters.slice(0, titleCharacters).join('')}…` : line
  return title === '' ? fallback : title
}

/** Fewer than the server accepts. */
const searchedCharacters = 32_000

export const conversationText = ({ system, turns }: Pick<PlaygroundContent, 'system' | 'turns'>): string =>
  [system, ...turns.map(({ text }) => text)].join('\n').slice(0, searchedCharacters)

/** Tells whether a text is the one that was saved, without keeping it: FNV-1a. */
export const markOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${text.length}-${(hash >>> 0).toString(36)}`
}
