import type { UsableModel } from '../../../../src/platform/contract/models.ts'
import { lacks } from '../../model-choices.ts'

/** A text file goes into the message. */
type TextAttachment = { kind: 'text'; name: string; text: string }
/**
 * Images and audio go beside it. They are never stored: a saved conversation has their names only, and `data` is null after it was
 * read.
 */
type MediaAttachment = {
  kind: 'image' | 'audio'
  name: string
  type: string
  bytes: number
  /** Base64. */
  data: string | null
  /** It had more pixels. */
  isReduced?: true
}
export type Attachment = TextAttachment | MediaAttachment

export const maxAttachments = 8
/** Of an image or audio, and of a text file. A message with all of them stays below what a server accepts by default. */
export const maxMediaBytes = 4 * 1024 * 1024
/** Of an image that is reduced until it fits. */
export const maxImageFileBytes = 64 * 1024 * 1024
export const maxTextBytes = 64 * 1024

const needed = { image: 'vision', audio: 'audio' } as const

/** Whether the model is known not to take it. */
export const isRefused = (model: UsableModel, { kind }: Attachment): boolean =>
  kind !== 'text' && lacks(model, needed[kind])
