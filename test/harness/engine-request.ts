import type { ChatMessage, Conversation, Sampling } from '../../src/engine/contract.ts'

/** A request with default settings. */
export const openSampling: Sampling = {
  maxTokens: null,
  minTokens: 0,
  ignoreEnd: false,
  temperature: null,
  topP: null,
  topK: null,
  minP: null,
  repetitionPenalty: null,
  frequencyPenalty: 0,
  presencePenalty: 0,
  logitBias: [],
  seed: null,
  stops: [],
  allowedIds: null,
  stopIds: [],
  topLogprobs: null,
  logprobIds: [],
  promptLogprobs: null,
  constraint: null,
  withoutText: null,
}

/** Only messages; a string becomes a single user message. */
export const talk = (messages: string | readonly ChatMessage[], more: Partial<Conversation> = {}): Conversation => ({
  messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
  tools: [],
  templateVariables: {},
  opening: 'answer',
  cacheScope: 'test',
  ownerId: 'test',
  ...more,
})
