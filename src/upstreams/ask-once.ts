import { isRecord } from '../base/is-record.ts'
import { namesResponses } from '../engine/remote/responses/chat-by-responses.ts'
import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import { chatPath, modelPath } from '../engine/remote/upstream-request.ts'
import { callUpstream, type UpstreamReply } from './call-upstream.ts'
import type { Upstream, UpstreamModel } from './contract.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

type Question = {
  model: Pick<UpstreamModel, 'upstreamName' | 'capabilities'>
  prompt: string
  maxTokens: number
  temperature?: number
  timeoutMs: number
  signal?: AbortSignal
}
/** OpenAI accepts no lower limit. */
const leastResponseTokens = 16

/** `isCut`: it was as long as it might be. */
type Read = { text: string; isCut: boolean }
type Answer = (Read & { problem: null }) | { text: null; isCut: false; problem: UpstreamProblem }

const failed = (problem: UpstreamProblem): Answer => ({ text: null, isCut: false, problem })

/** One short question of the server's own to a model that generates text. The answer has its reasoning, which may be all that fits. */
export const askOnce = async (upstream: Upstream, question: Question): Promise<Answer> => {
  const { capabilities } = question.model
  const mayHaveResponses = upstreamDialects[upstream.kind].wire === 'chat' && upstream.apiVersion === null
  if (mayHaveResponses && capabilities.includes('responses_for_chat')) return askByResponses(upstream, question)
  const { answer, refusal } = await askByChat(upstream, question)
  // Requests are sent there, too, when they are refused so.
  const isElsewhere = mayHaveResponses && capabilities.includes('responses') && namesResponses(refusal)
  return isElsewhere ? askByResponses(upstream, question) : answer
}

const askByResponses = async (upstream: Upstream, question: Question): Promise<Answer> => {
  const { prompt, maxTokens } = question
  const members = { input: prompt, store: false, max_output_tokens: Math.max(maxTokens, leastResponseTokens) }
  const { json, problem } = await send(upstream, question, '/responses', members)
  return problem === null ? readAs(readResponse, json, question, 'response') : failed(problem)
}

/** `refusal`: the error of the upstream; empty if there is none. */
const askByChat = async (upstream: Upstream, question: Question): Promise<{ answer: Answer; refusal: string }> => {
  const { kind } = upstream
  const { wire, maxTokens: limit } = upstreamDialects[kind]
  const members = { messages: [{ role: 'user', content: question.prompt }], [limit]: question.maxTokens }
  const { json, problem, refusal } = await send(upstream, question, chatPath(kind), members)
  if (problem !== null) return { answer: failed(problem), refusal }
  const read = wire === 'messages' ? readMessage : readCompletion
  return { answer: readAs(read, json, question, 'chat completion'), refusal }
}

const send = async (
  upstream: Upstream,
  { model: { upstreamName: model }, temperature, timeoutMs, signal }: Question,
  path: string,
  members: object,
): Promise<UpstreamReply> => {
  const ask = (more: object): Promise<UpstreamReply> =>
    callUpstream(upstream, {
      ...{ method: 'POST', path: modelPath(upstream, model, path), timeoutMs },
      body: { model, ...members, ...more },
      ...(signal === undefined ? {} : { signal }),
    })
  if (temperature === undefined) return ask({})
  const reply = await ask({ temperature })
  // Models that reason accept only their own.
  return reply.refusal.includes('temperature') ? ask({}) : reply
}

const readAs = (
  read: (json: unknown) => Read | null,
  json: unknown,
  { model }: Question,
  form: 'response' | 'chat completion',
): Answer => {
  const answer = read(json)
  if (answer !== null) return { ...answer, problem: null }
  return failed({ fault: 'bad_answer', reason: `The answer of ${model.upstreamName} is not a ${form}.` })
}

const joined = (texts: readonly unknown[]): string => texts.filter((text) => typeof text === 'string').join('\n')

/** Of the first choice; null if it is no chat completion. */
const readCompletion = (json: unknown): Read | null => {
  const choices = isRecord(json) ? json.choices : null
  if (!Array.isArray(choices)) return null
  const choice: unknown = choices[0]
  const { message, finish_reason: reason } = isRecord(choice) ? choice : {}
  const { content, reasoning_content: thought, reasoning } = isRecord(message) ? message : {}
  return { text: joined([thought, reasoning, content]), isCut: reason === 'length' }
}

/** Null if it is no response. */
const readResponse = (json: unknown): Read | null => {
  if (!isRecord(json) || !Array.isArray(json.output) || json.status === 'failed') return null
  const parts = json.output.flatMap((item: unknown) => (isRecord(item) ? [item.summary, item.content] : [])).flat()
  const texts = parts.map((part: unknown) => (isRecord(part) ? part.text : null))
  return { text: joined(texts), isCut: json.status === 'incomplete' }
}

/** Null if it is no message. */
const readMessage = (json: unknown): Read | null => {
  if (!isRecord(json) || !Array.isArray(json.content)) return null
  const texts = json.content.flatMap((block: unknown) => (isRecord(block) ? [block.thinking, block.text] : []))
  return { text: joined(texts), isCut: json.stop_reason === 'max_tokens' }
}
