/** The JSON that goes out. Keys stand in the order the official service sends them. */
export type Usage = { promptTokens: number; cachedTokens: number; completionTokens: number }
export type FinishReason = 'stop' | 'length'
export type Finish = { reason: FinishReason; usage: Usage }

/** What all chunks of one answer, and its whole form, have in common. */
export type CompletionHead = { id: string; created: number; model: string }

const usageJson = ({ promptTokens, cachedTokens, completionTokens }: Usage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

export const completionJson = (head: CompletionHead, content: string, { reason, usage }: Finish) => ({
  id: head.id,
  object: 'chat.completion',
  created: head.created,
  model: head.model,
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: reason },
  ],
  usage: usageJson(usage),
  service_tier: 'default',
})

type Delta = { role: 'assistant'; content: ''; refusal: null } | { content: string } | Record<string, never>

/**
 * Chunks as ready-made text. Everything but the delta is the same in every chunk of an answer, so it is written to JSON
 * once.
 */
export const createChunks = (head: CompletionHead, includeUsage: boolean) => {
  const { id, created, model } = head
  const start = JSON.stringify({ id, object: 'chat.completion.chunk', created, model, service_tier: 'default' })
  const open = `${start.slice(0, -1)},"choices":`
  const close = includeUsage ? ',"usage":null}' : '}'
  const choice = (delta: string, finishReason: string): string =>
    `${open}[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]${close}`
  const deltaJson = (delta: Delta): string => JSON.stringify(delta)
  return {
    role: (): string => choice(deltaJson({ role: 'assistant', content: '', refusal: null }), 'null'),
    content: (content: string): string => choice(deltaJson({ content }), 'null'),
    finish: (reason: FinishReason): string => choice(deltaJson({}), JSON.stringify(reason)),
    usage: (usage: Usage): string => `${open}[],"usage":${JSON.stringify(usageJson(usage))}}`,
  }
}
