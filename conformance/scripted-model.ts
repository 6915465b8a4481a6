/**
 * The scripted engine's answers in conformance scenarios. They depend only on the last message, so that clients in
 * every language get the same answers.
 */

import { ApiError } from '../src/base/api-error.ts'
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

const shellArguments: Record<string, object> = {
  Bash: { command: 'echo from the tool', description: 'Say something' },
  exec_command: { cmd: 'echo from the tool' },
}

export const createConformanceScript = (): Script => {
  const refusedOnce = new Set<string>()
  return (messages, sampling) => {
    // Claude Code adds a message of the system after that of the user.
    const last = messages.findLast(({ role }) => role !== 'system')
    const said = last?.content ?? ''
    if (last?.role === 'tool') return ['The tool said: ', said, '.']
    // Agents put what they were asked behind instructions of their own.
    const asked = /call the tool (Bash|exec_command)\s*$/.exec(said)?.[1]
    if (asked !== undefined) return call(asked, JSON.stringify(shellArguments[asked]))
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
    if (sampling.constraint?.after === null)
      return inPieces(speakGrammar(decompileGrammar(sampling.constraint.grammar), Math.random))
    return ['Hello', ', ', 'world', '!']
  }
}

function* endless(): Generator<string> {
  for (let word = 0; ; word += 1) yield `word${word} `
}

const inPieces = (text: string): string[] => text.match(/.{1,4}/gsu) ?? []
