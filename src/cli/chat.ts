import { createInterface } from 'node:readline/promises'
import { errorMessage } from '../base/caught-error.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { withoutTrailingSlashes } from '../base/without-trailing-slashes.ts'
import type { Config } from '../config/settings.ts'
import { type ChatTurn, streamChat } from './chat-stream.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { findServer, withControl } from './control-access.ts'
import type { Endpoint } from './http-client.ts'

export const chat: Command = {
  name: 'chat',
  summary: 'Chat with the model in the terminal.',
  positionals: '[MESSAGE]',
  options: {
    system: { type: 'string', placeholder: 'TEXT', text: 'System message for the conversation.' },
    url: {
      type: 'string',
      placeholder: 'URL',
      text: 'Base URL of another service, ending in /v1; requires HELIX_API_KEY.',
    },
  },
  note: 'With a MESSAGE, prints the response and exits. Without one, starts a conversation: press Ctrl-C to stop a response, Ctrl-D to exit.',
  async run(input) {
    const { config, options } = input
    if (typeof options.url === 'string') {
      const { apiKey } = config
      if (apiKey === null) throw new UsageError('--url requires an API key for that service in HELIX_API_KEY')
      if (!/^https?:$/.test(URL.parse(options.url)?.protocol ?? ''))
        throw new UsageError(`--url must be an http:// or https:// URL ending in /v1, not '${options.url}'`)
      return converse(input, { baseUrl: withoutTrailingSlashes(options.url).replace(/\/v1$/, '') }, apiKey)
    }
    const endpoint = await findServer(config)
    if (endpoint === null)
      throw new OperatorError(`No server is running on ${config.dataDir}. To start one, run 'helix serve'.`)
    return withChatKey(config, (key) => converse(input, endpoint, key))
  },
}

const halfDayMs = 43_200_000

/** Creates a key for this conversation and revokes it at the end. If that fails, the key expires. */
const withChatKey = async (config: Config, work: (key: string) => Promise<number>): Promise<number> => {
  if (config.apiKey !== null) return work(config.apiKey)
  const wanted = { name: 'helix chat', expiresAt: systemClock.now() + halfDayMs, scopes: ['chat', 'models'] }
  const created = await withControl(config, (control) => control.createKey({ body: wanted }))
  try {
    return await work(created.key)
  } finally {
    await withControl(config, (control) => control.revokeKey({ params: { subject: created.id } })).catch(() => {})
  }
}

const converse = async (input: CommandInput, endpoint: Endpoint, key: string): Promise<number> => {
  const { options, positionals, terminal } = input
  const turns: ChatTurn[] = typeof options.system === 'string' ? [{ role: 'system', content: options.system }] : []
  const ask = async (content: string, signal: AbortSignal): Promise<void> => {
    const question: ChatTurn = { role: 'user', content }
    const asked = [...turns, question]
    const answer = await streamChat({ endpoint, key, turns: asked, signal, onText: terminal.out })
    terminal.out('\n')
    turns.push(question, { role: 'assistant', content: answer })
  }
  if (positionals.length === 0) return readTurns(ask, terminal.err)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  await ask(positionals.join(' '), stop.signal)
  return stop.signal.aborted ? 130 : 0
}

const readTurns = async (
  ask: (content: string, signal: AbortSignal) => Promise<void>,
  say: (text: string) => void,
): Promise<number> => {
  const isTyped = process.stdin.isTTY === true
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: isTyped ? '> ' : '' })
  let answering: AbortController | null = null
  let isOpen = true
  const interrupt = (): void => {
    if (answering === null) lines.close()
    else answering.abort()
  }
  // In a terminal, readline reports Ctrl-C; otherwise it arrives as a signal.
  lines.on('SIGINT', interrupt)
  process.on('SIGINT', interrupt)
  lines.on('close', () => {
    isOpen = false
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() !== '') {
      answering = new AbortController()
      try {
        await ask(line, answering.signal)
      } catch (error) {
        say(`${errorMessage(error)}\n`)
      }
      answering = null
    }
    // Piped input may end while lines still wait for an answer.
    if (isOpen) lines.prompt()
  }
  if (isTyped) say('\n')
  return 0
}
