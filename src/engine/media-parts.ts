import type { ChatMessage, MediaPart } from './contract.ts'

/** The images and audio of a conversation, in order. */
export const mediaParts = (messages: readonly ChatMessage[]): MediaPart[] => {
  const media: MediaPart[] = []
  for (const { parts } of messages)
    if (parts !== undefined) for (const part of parts) if (part.type !== 'text') media.push(part)
  return media
}
