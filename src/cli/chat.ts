import { createInterface } from 'node:readline/promises'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { type ChatTurn, streamChat } from './chat-stream.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import type { Endpoint } from './http-client.ts'
import { findServer, withKeyAccess } from './key-access.ts'

export const chat: Command = {
  name: 'chat',
  summary: 'Talk to the service in the terminal.',
  positionals: '[MESSAGE]',
  options: {
    system: { type: 'string', placeholder: 'TEXT', text: 'A system message to begin with.' },
    url: {
      type: 'string',
      placeholder: 'URL',
      text: 'Another service, by its base URL ending in /v1; needs HELIX_API_KEY.',
    },
  },
  note: 'With a MESSAGE it prints the answer and ends. Without one: Ctrl-C stops an answer, Ctrl-D ends the conversation.',
  async run(input) {
    const { config, options } = input
    if (typeof options.url === 'string') {
      const { apiKey } = config
      if (apiKey === null) throw new UsageError('--url needs a key of that service in HELIX_API_KEY')
      return converse(input, { baseUrl: options.url.replace(/\/+$/, '').replace(/\/v1$/, '') }, apiKey)
    }
    const endpoint = await findServer(config)
    if (endpoint === null)
      throw new OperatorError(`No server is running on ${config.dataDir}. 'helix serve' starts one.`)
    return withChatKey(config, (key) => converse(input, endpoint, key))
  },
}

const halfDayMs = 43_200_000

/** A key of the conversation's own, revoked at its end; should that fail, it expires by itself. */
const withChatKey = async (config: Config, work: (key: string) => Promise<number>): Promise<number> => {
  if (config.apiKey !== null) return work(config.apiKey)
  const expiresAtMs = systemClock.now() + halfDayMs
  const created = await withKeyAccess(config, (keys) => keys.create('helix chat', expiresAtMs))
  try {
    return await work(created.key)
  } finally {
    await withKeyAccess(config, (keys) => keys.revoke(created.id)).catch(() => {})
  }
}

const converse = async (input: CommandInput, endpoint: Endpoint, key: string): Promise<number> => {
  const { options, positionals, terminal } = input
  const turns: ChatTurn[] = typeof options.system === 'string' ? [{ role: 'system', content: options.system }] : []
  const ask = async (content: string, signal: AbortSignal): Promise<void> => {
    turns.push({ role: 'user', content })
    const answer = await streamChat({ endpoint, key, turns, signal, onText: terminal.out })
    terminal.out('\n')
    turns.push({ role: 'assistant', content: answer })
  }
  if (positionals.length > 0) {
    await ask(positionals.join(' '), new AbortController().signal)
    return 0
  }
  await readTurns(ask, terminal.err)
  return 0
}

const readTurns = async (
  ask: (content: string, signal: AbortSignal) => Promise<void>,
  say: (text: string) => void,
): Promise<void> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
  let answering: AbortController | null = null
  lines.on('SIGINT', () => {
    if (answering === null) lines.close()
    else answering.abort()
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() !== '') {
      answering = new AbortController()
      try {
        await ask(line, answering.signal)
      } catch (error) {
        say(`${error instanceof Error ? error.message : String(error)}\n`)
      }
      answering = null
    }
    lines.prompt()
  }
  say('\n')
}
