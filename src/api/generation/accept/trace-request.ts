import type { Endpoint } from '../../../store/ledger-contract.ts'
import type { RequestTrace } from '../../../traces/request-trace.ts'
import type { Attributes } from '../../../traces/span.ts'
import { operationNames } from '../../../usage/operation-names.ts'
import type { GenerationRequest } from '../request/generation-request.ts'

/** A request to a model is accepted: says in its trace what is asked for. */
export const traceAccepted = (
  trace: RequestTrace | null,
  endpoint: Endpoint,
  model: string,
  describe: () => Attributes = () => ({}),
): void => {
  if (trace === null) return
  trace.reached('accepted')
  trace.asks(() => ({
    'gen_ai.operation.name': operationNames[endpoint],
    'gen_ai.provider.name': 'helix',
    'gen_ai.request.model': model,
    'gen_ai.response.model': model,
    ...describe(),
  }))
}

/** The options of a request by the names of the GenAI conventions. They have no text of the prompt. */
export const describeGeneration = (
  { n, stream, sampling, format }: Pick<GenerationRequest, 'n' | 'stream' | 'sampling' | 'format'>,
  answerId: string,
): Attributes => ({
  'gen_ai.response.id': answerId,
  'gen_ai.request.stream': stream,
  'gen_ai.request.choice.count': n === 1 ? undefined : n,
  'gen_ai.request.max_tokens': sampling.maxTokens ?? undefined,
  'gen_ai.request.temperature': sampling.temperature ?? undefined,
  'gen_ai.request.top_p': sampling.topP ?? undefined,
  'gen_ai.request.top_k': sampling.topK ?? undefined,
  'gen_ai.request.seed': sampling.seed ?? undefined,
  'gen_ai.request.frequency_penalty': sampling.frequencyPenalty === 0 ? undefined : sampling.frequencyPenalty,
  'gen_ai.request.presence_penalty': sampling.presencePenalty === 0 ? undefined : sampling.presencePenalty,
  'gen_ai.output.type': format === null ? 'text' : 'json',
})
