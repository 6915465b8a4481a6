import { optional } from '../../../http/schema/containers.ts'
import { ignored } from '../../generation/request/read-fields.ts'

/** What clients and other providers add to messages. */
const key = optional(ignored)

/** Of every message. */
export const ignoredMessageKeys = {
  // Swarm's name of the agent, and of the function that a tool message responds to.
  sender: key,
  tool_name: key,
  // Reasoning as others spell it; `reasoning_content` of an assistant is read.
  reasoning: key,
  reasoning_details: key,
  thinking_blocks: key,
  provider_specific_fields: key,
  // Requests to cache the prompt up to here.
  cache_control: key,
}

/** Of messages that are not the assistant's: some histories use one shape for all roles. */
export const ignoredEchoes = { reasoning_content: key, refusal: key, annotations: key }

/** Of the calls of an assistant. */
export const ignoredCallKeys = { index: key, provider_specific_fields: key, extra_content: key }
