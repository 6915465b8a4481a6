import type { ChatMessage, MediaPart } from './contract.ts'
import { mediaParts } from './media-parts.ts'

/**
 * The prompt tokens of images and audio, which only the upstream can count: models scale images and cut audio in their own
 * ways. So there are three figures: what is reserved, what is billed if the upstream sends no count, and the largest count that is
 * accepted from it.
 */
export const defaultImageTokens = 2048

/** An upper bound for most models. Audio of low quality has about this many bytes for each token. */
export const reservedMediaTokens = (messages: readonly ChatMessage[], imageTokens = defaultImageTokens): number =>
  sum(messages, (part) => {
    if (part.type === 'image') return imageTokens
    return Math.ceil(part.bytes / (part.format === 'mp3' ? 100 : 250))
  })

/** A lower bound: an image in low detail, audio of high quality. */
export const leastMediaTokens = (messages: readonly ChatMessage[]): number =>
  sum(messages, (part) => {
    if (part.type === 'image') return 85
    return Math.ceil(part.bytes / (part.format === 'mp3' ? 1600 : 3200))
  })

/** More than any known model has for an image of the largest size. */
const maxImageTokens = 65_536

/** A larger count cannot be correct. */
export const maxMediaTokens = (messages: readonly ChatMessage[]): number =>
  sum(messages, (part) => (part.type === 'image' ? maxImageTokens : 1024 + Math.ceil(part.bytes / 10)))

const sum = (messages: readonly ChatMessage[], countTokens: (part: MediaPart) => number): number => {
  let tokens = 0
  for (const part of mediaParts(messages)) tokens += countTokens(part)
  return tokens
}
