import type { ChatMessage, MediaPart, WrittenPrompt } from './contract.ts'

/** The images and audio of a conversation, in order. */
export const mediaParts = (messages: readonly ChatMessage[]): MediaPart[] => {
  const media: MediaPart[] = []
  for (const { parts } of messages)
    if (parts !== undefined) for (const part of parts) if (part.type !== 'text') media.push(part)
  return media
}

type Talk = { readonly messages: readonly ChatMessage[]; readonly written?: WrittenPrompt }

/** All messages if one of them may have images or audio. Those of a long prompt without any are not even read. */
export const messagesWithMedia = (talk: Talk): readonly ChatMessage[] =>
  talk.written?.hasMedia === false ? [] : talk.messages
