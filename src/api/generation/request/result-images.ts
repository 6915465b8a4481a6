import type { ChatMessage, ContentPart } from '../../../engine/contract.ts'

/** In the text of a result, where it has an image: most engines accept images in messages of the user only. */
export const imageMark = '[image]'

/** The images of results, in a message of the user after the results, in the order of their marks; none if there are none. */
export const imagesOfResults = (parts: readonly ContentPart[]): ChatMessage[] =>
  parts.length === 0 ? [] : [{ role: 'user', content: '', parts }]
