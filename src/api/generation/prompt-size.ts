import type { PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import { reservedMediaTokens } from '../../engine/media-tokens.ts'
import { type GenerationRequest, messagesIn } from './request/generation-request.ts'

/** `isExact`: counted by the engine that answers. Otherwise rather too many. */
export type PromptSize = { tokens: number; isExact: boolean }

/** The tokens of a prompt before it is answered. If only the upstream can count them, images and audio are estimated. */
export const promptSize = (
  { prompt, promptBytes }: Pick<GenerationRequest, 'prompt' | 'promptBytes'>,
  { imageTokens }: Pick<ServedModel, 'imageTokens'>,
  { promptTokens, countedTokens = guessTokens(promptBytes) }: Pick<PreparedPrompt, 'promptTokens' | 'countedTokens'>,
): PromptSize => {
  if (promptTokens !== null) return { tokens: promptTokens, isExact: true }
  return { tokens: countedTokens + reservedMediaTokens(messagesIn(prompt), imageTokens), isExact: false }
}

/** About four bytes a token in English, three in Japanese, so rather too many. */
const guessTokens = (promptBytes: number): number => Math.ceil(promptBytes / 3)
