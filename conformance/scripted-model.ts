/**
 * The scripted engine's answers in conformance scenarios. They depend only on the last message, so that clients in
 * every language get the same answers.
 */

import { ApiError } from '../src/base/api-error.ts'
import type { ChatMessage } from '../src/engine/contract.ts'
import type { Script } from '../src/engine/scripted.ts'
import { decompileGrammar } from '../test/harness/decompile-grammar.ts'
import { speakGrammar } from '../test/harness/speak-grammar.ts'

const call = (name: string, args: string): string[] => [
  '<tool_call>',
  '\n{"name": "',
  name,
  '", "arguments": ',
  ...(args.match(/.{1,7}/gs) ?? []),
  '}\n',
  '</tool_call>',
]

/** A tool by its name, with its arguments unless they are below. Agents put instructions of their own around it. */
const toolRequest = /call the tool (\w+)(?: (\{[^{}]*\}))?/

const echo = { command: 'echo from the tool', description: 'Say something' }
const shellArguments: Record<string, object> = { Bash: echo, bash: echo, exec_command: { cmd: echo.command } }

/** For frameworks that describe tools in their instructions and read calls from the text. The stop sequence cuts the made-up result. */
const callAsText = (messages: readonly ChatMessage[]): string[] | null => {
  if (!messages.some(({ content }) => content.includes('\nAction Input:'))) return null
  const observed = messages.findLast(({ role }) => role === 'assistant')?.content.split('\nObservation: ')[1]
  if (observed !== undefined) return ['Thought: I know it\n', 'Final Answer: The tool said: ', observed, '.']
  const [, name, args] = messages.map(({ content }) => toolRequest.exec(content)).find((found) => found !== null) ?? []
  if (name === undefined || args === undefined) return null
  return ['Thought: a tool\n', 'Action: ', name, '\nAction Input: ', args, '\nObserv', 'ation: made up']
}

export const createConformanceScript = (): Script => {
  const refusedOnce = new Set<string>()
  return (messages, sampling, { tools }) => {
    // Claude Code adds a message of the system after that of the user.
    const last = messages.findLast(({ role }) => role !== 'system')
    const said = last?.content ?? ''
    const asText = callAsText(messages)
    if (asText !== null) return asText
    if (last?.role === 'tool') return ['The tool said: ', said, '.']
    const [, asked = '', args = JSON.stringify(shellArguments[asked] ?? {})] = toolRequest.exec(said) ?? []
    // Agents also ask for a title of what they were asked, without tools.
    if (tools.some(({ name }) => name === asked)) return call(asked, args)
    if (said.startsWith('weather')) {
      const cities = said.split(' ').slice(1)
      return cities.flatMap((city, index) => [
        ...(index === 0 ? [] : ['\n']),
        ...call('get_weather', JSON.stringify({ city })),
      ])
    }
    // Only the first time, so that a client's retry succeeds.
    if (said.startsWith('flaky') && !refusedOnce.has(said)) {
      refusedOnce.add(said)
      return [{ fail: ApiError.of('engine_loading', {}, { retryAfterMs: 5 }) }]
    }
    if (said.startsWith('break')) return ['Half an ', 'answer', { fail: ApiError.of('engine_failed', {}) }]
    if (said.startsWith('endless')) return endless()
    if (said.startsWith('日本')) return Array.from(Buffer.from('日本語と👩‍👩‍👧‍👦と🇯🇵。'), (byte) => Uint8Array.of(byte))
    if (sampling.constraint?.after === null) return inPieces(speakAnswer(decompileGrammar(sampling.constraint.grammar)))
    return ['Hello', ', ', 'world', '!']
  }
}

function* endless(): Generator<string> {
  for (let word = 0; ; word += 1) yield `word${word} `
}

/** Where both a call and an answer are allowed, an answer: random calls might never end. */
const speakAnswer = (grammar: ReturnType<typeof decompileGrammar>): string => {
  const texts = Array.from({ length: 20 }, () => speakGrammar(grammar, Math.random))
  return texts.find((text) => !text.includes('<tool_call>')) ?? texts[0] ?? ''
}

const inPieces = (text: string): string[] => text.match(/.{1,4}/gsu) ?? []
