import type { ContentPart } from '../../../engine/contract.ts'
import type { UnreadPart } from './unread-part.ts'

/** What a message contains, before its images and audio are read. */
export type UnreadParts = readonly (ContentPart | UnreadPart)[]

/** `path`: of the list in the request. */
export const readParts = (parts: UnreadParts, path: readonly (string | number)[]): ContentPart[] =>
  parts.map((part, index) => (part.type === 'unread' ? part.read([...path, index]) : part))
