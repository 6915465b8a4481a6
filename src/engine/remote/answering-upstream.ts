import type { Redact } from '../../base/create-redactor.ts'
import type { Log } from '../../base/log.ts'
import type { ChatByResponses } from './responses/chat-by-responses.ts'
import type { TokenCounter } from './tokenizer/token-counters.ts'
import type { UpstreamClient } from './upstream-client.ts'
import type { UpstreamDialect } from './upstream-kinds.ts'

/** One model of an upstream, with what it takes to ask it. */
export type AnsweringUpstream = {
  client: UpstreamClient
  /** The name of the model for callers. */
  name: string
  /** Its name at the upstream. */
  model: string
  /** The key for the upstream; it is removed from answers. */
  key: string | null
  dialect: UpstreamDialect
  fields: ReadonlySet<string>
  /** Raw prompts are never sent to its Responses API. */
  rawPromptFields: ReadonlySet<string>
  /** Null if the tokenizer of the model is not known. */
  counter: TokenCounter | null
  /** The tools that it may run itself; null if it has no Responses API. */
  builtInTools: ReadonlySet<string> | null
  /** The chats that it is sent in the form of that API. */
  chatByResponses: ChatByResponses
  /** An engine node of this cluster. Others are not told whose requests they answer. */
  isNode: boolean
  /** Removes every known secret, and addresses of upstreams, from what it says about a request. */
  redact: Redact
  /** Removes every known secret from parts of an answer: an address may be what was asked for. */
  hideSecrets: Redact
  log: Log
}
