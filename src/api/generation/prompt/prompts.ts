import type { AnswerRoute, AnswerTiming, PreparedPrompt, ServedModel } from '../../../engine/contract.ts'
import { defaultImageTokens, reservedMediaTokens } from '../../../engine/media-tokens.ts'
import { type GenerationRequest, mediaMessagesIn, type Prompt } from '../request/generation-request.ts'

/** The prompts of a request, at least one. Each has an equal share of the choices: those of the first come first. */
export type Prompts = readonly [PreparedPrompt, ...PreparedPrompt[]]

/** The tokens of all prompts together; null if only the upstream can count. */
export const sumPromptTokens = (prompts: Prompts): number | null => {
  let sum = 0
  for (const { promptTokens } of prompts) {
    if (promptTokens === null) return null
    sum += promptTokens
  }
  return sum
}

/** The tokens of all prompts together, counted with the model's tokenizer; undefined if one of them was not. */
export const sumCountedTokens = (prompts: Prompts): number | undefined => {
  let sum = 0
  for (const { countedTokens } of prompts) {
    if (countedTokens === undefined) return undefined
    sum += countedTokens
  }
  return sum
}

/** The tokens of the longest prompt, because each has to fit the context. Null if only the upstream can count. */
export const longestPromptTokens = (prompts: Prompts): number | null => {
  let longest = 0
  for (const { promptTokens } of prompts) {
    if (promptTokens === null) return null
    longest = Math.max(longest, promptTokens)
  }
  return longest
}

/** The index of the prompt that a choice answers. */
export const promptIndex = (choice: number, prompts: Prompts, choices: number): number =>
  Math.floor(choice / (choices / prompts.length))

/** The upstreams that answer the prompts, joined. */
export const joinRoutes = (prompts: Prompts): AnswerRoute | undefined => {
  if (prompts.length === 1) return prompts[0].route
  const routes = prompts.flatMap(({ route }) => (route === undefined ? [] : [route]))
  if (routes.length < 2) return routes[0]
  const failed = routes.flatMap(({ failed: some = [] }) => some)
  return {
    upstreams: routes.flatMap(({ upstreams }) => upstreams),
    attempts: routes.reduce((sum, { attempts }) => sum + attempts, 0),
    ...(failed.length === 0 ? {} : { failed }),
    isContinued: routes.some(({ isContinued }) => isContinued),
    ...joinTimings(routes.flatMap(({ timing }) => (timing === undefined ? [] : [timing]))),
  }
}

const joinTimings = (timings: readonly AnswerTiming[]): { timing?: AnswerTiming } => {
  const [first] = timings.toSorted((one, other) => one.firstTokenAtMs - other.firstTokenAtMs)
  if (first === undefined) return {}
  return { timing: { ...first, endedAtMs: Math.max(...timings.map(({ endedAtMs }) => endedAtMs)) } }
}

/** `isExact`: counted by the engine that answers. Otherwise an estimate that is more likely too high. */
export type PromptSize = { tokens: number; isExact: boolean }

/** The tokens of a prompt before it is answered. If only the upstream can count them, images and audio are estimated. */
export const promptSize = (
  { prompt, promptBytes }: Pick<GenerationRequest, 'prompt' | 'promptBytes'>,
  { imageTokens }: Pick<ServedModel, 'imageTokens'>,
  { promptTokens, countedTokens = guessTokens(promptBytes) }: Pick<PreparedPrompt, 'promptTokens' | 'countedTokens'>,
): PromptSize => {
  if (promptTokens !== null) return { tokens: promptTokens, isExact: true }
  const mediaTokens = reservedMediaTokens(mediaMessagesIn(prompt), imageTokens)
  return {
    tokens: countedTokens + mediaTokens + nativeImages(prompt) * (imageTokens ?? defaultImageTokens),
    isExact: false,
  }
}

/** The images that only an upstream with a Responses API is sent, such as those that a tool has made. */
const nativeImages = (prompt: Prompt): number => {
  const native = prompt.type === 'chat' ? prompt.native : undefined
  return native?.api === 'responses' ? native.input.reduce((sum, { images = 0 }) => sum + images, 0) : 0
}

/** English has about four bytes a token and Japanese three, so the estimate is more likely too high. */
const guessTokens = (promptBytes: number): number => Math.ceil(promptBytes / 3)
