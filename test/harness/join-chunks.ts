import { expect } from 'vitest'
import type { Chunk, ChunkChoice, ToldJson } from './read-events.ts'

type JoinedCall = { id: string; type: 'function'; function: { name: string; arguments: string } }
type JoinedMessage = {
  role: 'assistant'
  content: string | null
  refusal: null
  reasoning_content?: string
  tool_calls?: JoinedCall[]
  function_call?: JoinedCall['function']
}
/** A choice in the form it has in an answer that is not streamed. */
export type JoinedChoice = {
  index: number
  message: JoinedMessage
  logprobs: { content: ToldJson[]; refusal: null } | null
  finish_reason: string
  token_ids?: number[]
}

type Delta = {
  role?: string
  content?: string | null
  refusal?: null
  reasoning_content?: string
  tool_calls?: { index: number; id?: string; type?: string; function: { name?: string; arguments: string } }[]
  function_call?: { name?: string; arguments: string }
}

/** Joins the choices of a stream, and fails if the stream breaks a rule that clients rely on. */
export const joinChunks = (chunks: readonly Chunk[]): JoinedChoice[] => {
  const [first] = chunks
  const choices = new Map<number, JoinedChoice>()
  for (const chunk of chunks) {
    const { id, created, model } = first ?? chunk
    expect(chunk).toMatchObject({ object: 'chat.completion.chunk', id, created, model })
    for (const choice of chunk.choices) {
      const joined = choices.get(choice.index)
      if (joined === undefined) choices.set(choice.index, begin(choice))
      else goOn(joined, choice)
    }
  }
  const all = [...choices.values()].sort((a, b) => a.index - b.index)
  for (const { finish_reason, message } of all) {
    expect(finish_reason).not.toBe('')
    if (message.content === '' && (message.tool_calls ?? message.function_call)) message.content = null
  }
  return all
}

const begin = (choice: ChunkChoice): JoinedChoice => {
  const { index, delta, finish_reason, logprobs, token_ids } = choice
  expect(delta).toEqual({ role: 'assistant', content: delta.content === null ? null : '', refusal: null })
  expect({ finish_reason, logprobs }).toEqual({ finish_reason: null, logprobs: null })
  expect(token_ids).toBeUndefined()
  const content = delta.content === null ? null : ''
  return { index, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: '' }
}

const goOn = (joined: JoinedChoice, choice: ChunkChoice): void => {
  expect(joined.finish_reason, 'nothing follows the finish').toBe('')
  const delta: Delta = choice.delta
  expect(delta).not.toHaveProperty('role')
  if (choice.token_ids !== undefined) joined.token_ids = [...(joined.token_ids ?? []), ...choice.token_ids]
  if (choice.logprobs !== null) {
    joined.logprobs ??= { content: [], refusal: null }
    joined.logprobs.content.push(...choice.logprobs.content)
  }
  if (choice.finish_reason !== null) {
    expect(delta).toEqual({})
    joined.finish_reason = choice.finish_reason
    return
  }
  expect(Object.keys(delta)).toHaveLength(1)
  joinDelta(joined.message, delta)
}

const joinDelta = (message: JoinedMessage, delta: Delta): void => {
  if (typeof delta.content === 'string') message.content = (message.content ?? '') + delta.content
  if (typeof delta.reasoning_content === 'string')
    message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
  if (delta.function_call !== undefined) {
    const { name, arguments: text } = delta.function_call
    if (name !== undefined) {
      expect(message).not.toHaveProperty('function_call')
      message.function_call = { name, arguments: text }
    } else if (message.function_call === undefined) throw new Error('arguments without a call')
    else message.function_call.arguments += text
  }
  for (const call of delta.tool_calls ?? []) joinCall(message, call)
}

const joinCall = (message: JoinedMessage, call: NonNullable<Delta['tool_calls']>[number]): void => {
  message.tool_calls ??= []
  const begun = message.tool_calls[call.index]
  if (begun === undefined) {
    expect(call.index).toBe(message.tool_calls.length)
    expect(call).toEqual({
      index: call.index,
      id: expect.stringMatching(/^call_\w{24}$/),
      type: 'function',
      function: { name: expect.stringMatching(/./), arguments: '' },
    })
    message.tool_calls.push({
      id: call.id ?? '',
      type: 'function',
      function: { name: call.function.name ?? '', arguments: '' },
    })
    return
  }
  // Clients treat a second id or name as another call, or refuse the stream.
  expect(call).toEqual({ index: call.index, function: { arguments: expect.any(String) } })
  begun.function.arguments += call.function.arguments
}
