import type { PlaygroundCall } from '../../../../src/platform/contract/playground.ts'
import type { RequestBody, RequestDialect } from '../playground/opened/request-dialect.ts'

/** The route of the session that takes the same body, and what limits the length of an answer there. */
const calls = {
  messages: { call: 'messageInPlayground', longest: 'max_tokens' },
  responses: { call: 'respondInPlayground', longest: 'max_output_tokens' },
  completions: { call: 'continueInPlayground', longest: 'max_tokens' },
  embeddings: { call: 'embedInPlayground', longest: null },
  rerank: { call: 'rerankInPlayground', longest: null },
  score: { call: 'scoreInPlayground', longest: null },
} as const satisfies Record<
  Exclude<RequestDialect, 'chat.completions'>,
  { call: PlaygroundCall; longest: string | null }
>

export type RepeatableCall = {
  call: (typeof calls)[keyof typeof calls]['call']
  body: RequestBody
  /** The field with the maximum length of the answer; null if there is none. */
  longest: string | null
}

/** The answer is one document here, which is shown as it is. */
const leftOut: ReadonlySet<string> = new Set(['stream', 'stream_options', 'store', 'metadata', 'background'])

/** A stored request as it can be sent again from the page. Nothing is stored again. */
export const repeatableCall = (dialect: keyof typeof calls, body: RequestBody): RepeatableCall => ({
  ...calls[dialect],
  body: {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !leftOut.has(name))),
    // Responses are stored unless that is declined.
    ...(dialect === 'responses' ? { store: false } : {}),
  },
})
