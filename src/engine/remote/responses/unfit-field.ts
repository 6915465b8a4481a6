import type { Conversation, Sampling } from '../../contract.ts'
import { mediaParts, messagesWithMedia } from '../../media-parts.ts'

/** What a chat asks for and the Responses API has no field for, as chat completions name it; null if it has one for everything. */
export const unfitField = (conversation: Conversation, sampling: Sampling): string | null =>
  unfitInPrompt(conversation) ?? unfitInSampling(sampling)

const unfitInPrompt = (conversation: Conversation): string | null => {
  const { rawPrompt, opening, templateVariables, answer } = conversation
  const format = answer?.format?.type
  if (rawPrompt !== undefined) return 'prompt'
  if (opening !== 'answer') return opening === 'continue' ? 'continue_final_message' : 'add_generation_prompt'
  if (Object.keys(templateVariables).length > 0) return 'chat_template_kwargs'
  if (format === 'regex' || format === 'choice') return 'structured_outputs'
  return mediaParts(messagesWithMedia(conversation)).some(({ type }) => type === 'audio') ? 'input_audio' : null
}

const unfitInSampling = (sampling: Sampling): string | null => {
  const { topK, minP, repetitionPenalty, seed, frequencyPenalty, presencePenalty } = sampling
  const { logitBias, stopIds, minTokens, ignoreEnd } = sampling
  const asked = {
    ...{ top_k: topK !== null, min_p: minP !== null, repetition_penalty: repetitionPenalty !== null },
    ...{ seed: seed !== null, frequency_penalty: frequencyPenalty !== 0, presence_penalty: presencePenalty !== 0 },
    ...{ logit_bias: logitBias.length > 0, stop_token_ids: stopIds.length > 0 },
    ...{ min_tokens: minTokens > 0, ignore_eos: ignoreEnd },
  }
  return Object.entries(asked).find(([, isAsked]) => isAsked)?.[0] ?? null
}
