import { optional } from '../../../http/schema/containers.ts'
import { ignored } from '../../generation/request/read-fields.ts'

/** Extra keys that clients and other providers add to messages. They are ignored. */
const key = optional(ignored)

/** Ignored in every message. */
export const ignoredMessageKeys = {
  // Swarm's name of the agent, and of the function that a tool message responds to.
  sender: key,
  tool_name: key,
  // Reasoning under the names of other providers; only an assistant's `reasoning_content` is read.
  reasoning: key,
  reasoning_details: key,
  thinking_blocks: key,
  provider_specific_fields: key,
  // Requests to cache the prompt up to here.
  cache_control: key,
}

/** Ignored in messages that are not the assistant's: some histories use one shape for all roles. */
export const ignoredEchoes = { reasoning_content: key, refusal: key, annotations: key }

/** Ignored in the calls of an assistant. */
export const ignoredCallKeys = { index: key, provider_specific_fields: key, extra_content: key }
