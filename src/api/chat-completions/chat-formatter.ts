import { joinParts } from '../generation/answer/answer-part.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import type { NumberedEvent } from '../generation/output/choice.ts'
import { modelFingerprint } from '../openai/answer-shapes.ts'
import { promptLogprobsJson } from '../openai/prompt-logprobs-json.ts'
import { type ChunkOf, type Chunks, createChunks } from './chunks.ts'
import type { ReceivedChatRequest } from './request/read-request.ts'
import { type CompletionHead, type CompletionJson, choiceJson, completionJson } from './shapes.ts'

/** Writes an answer as chunks, or as one completion. */
export const openChatFormatter = (
  request: ReceivedChatRequest,
  answer: FormattedAnswer,
): AnswerFormatter<CompletionJson> => {
  const { includeUsage, continuousUsage, obfuscate, legacy, metadata } = request.chat
  const head = completionHead(answer)
  const logprobs = request.sampling.topLogprobs !== null
  let created: Chunks | null = null
  /** A completion as a whole needs none. */
  const chunks = (): Chunks => {
    const usage = includeUsage && continuousUsage ? answer.usage : null
    created ??= createChunks(head, { includeUsage, obfuscate, logprobs, usage })
    return created
  }
  const promptTokenIds = request.returnTokenIds ? answer.prompt.promptTokenIds : null
  const begun = new Set<number>()
  /** Null if the choice has begun before. */
  const eventRole = ([choice, event]: NumberedEvent): string | null => {
    if (begun.has(choice)) return null
    const isFirst = begun.size === 0
    begun.add(choice)
    return chunks().role({ choice }, event.type === 'call' ? null : '', (isFirst ? promptTokenIds : null) ?? undefined)
  }
  return {
    events(numbered) {
      const role = eventRole(numbered)
      const [choice, event] = numbered
      if (event.type === 'content' && event.pieces !== undefined) {
        const written = chunks().contents({ choice }, event.pieces)
        return role === null ? written : [role, ...written]
      }
      const chunk = writeChunk(numbered, chunks(), legacy)
      return role === null ? chunk : [role, chunk]
    },
    lastEvents(finishes) {
      const events: string[] = []
      for (const finish of finishes) {
        const role = eventRole(finish)
        if (role !== null) events.push(role)
        events.push(writeChunk(finish, chunks(), legacy))
      }
      if (includeUsage) events.push(chunks().usage(answer.usage()))
      return events
    },
    document(choices) {
      const written = choices.map((choice, index) => choiceJson(choice, index, { legacy, logprobs }))
      const { promptLogprobs: count } = request.sampling
      const promptLogprobs =
        count === null ? null : promptLogprobsJson(joinParts(choices[0]?.parts ?? []).prompt, count)
      return completionJson(head, written, answer.usage(), { metadata, promptTokenIds, promptLogprobs })
    },
  }
}

const completionHead = ({ id, createdAt, model }: FormattedAnswer): CompletionHead => ({
  id,
  created: Math.floor(createdAt / 1000),
  model: model.id,
  fingerprint: modelFingerprint(model),
})

const writeChunk = ([choice, event, tokenIds]: NumberedEvent, chunks: Chunks, legacy: boolean): string => {
  const of: ChunkOf = tokenIds === undefined ? { choice } : { choice, tokenIds }
  switch (event.type) {
    case 'content':
      return chunks.content(of, event.text, event.tokens)
    case 'reasoning':
      return chunks.reasoning(of, event.text)
    case 'refusal':
      return chunks.refusal(of, event.text)
    case 'call':
      return legacy ? chunks.functionCall(of, event.name) : chunks.call(of, event.index, event.id, event.name)
    case 'arguments':
      return legacy ? chunks.functionArguments(of, event.text) : chunks.arguments(of, event.index, event.text)
    case 'finish':
      return chunks.finish(of, event.reason)
    case 'item':
      throw new TypeError('only responses have items')
  }
}
