import { resolve } from 'node:path'
import { builtInTools } from '../config/built-in-tools.ts'
import { upstreamCapabilities } from '../config/upstream-names.ts'
import { type Command, type CommandInput, readListOption, readWhole, UsageError } from './command.ts'

const timeouts = {
  'connect-timeout-ms': { field: 'connectTimeoutMs', text: 'Longest time to connect (default: 10000).' },
  'first-byte-timeout-ms': {
    field: 'firstByteTimeoutMs',
    text: 'Longest time until an answer begins (default: 300000).',
  },
  'silence-timeout-ms': {
    field: 'silenceTimeoutMs',
    text: 'Longest time between two parts of an answer (default: 300000).',
  },
} as const

/** Options of `upstreams add` that few upstreams need. */
export const upstreamOptions: Command['options'] = {
  features: {
    type: 'string',
    placeholder: 'LIST',
    text: "Optional request fields that it accepts, or 'none' (default: those of its kind).",
  },
  capabilities: {
    type: 'string',
    placeholder: 'LIST',
    text: `What its models accept besides text: ${upstreamCapabilities.join(', ')} (default: nothing).`,
  },
  'built-in-tools': {
    type: 'string',
    placeholder: 'LIST',
    text: `Tools that it may run itself, in requests to /v1/responses, or 'none': ${builtInTools.join(', ')} (default: none).`,
  },
  ...Object.fromEntries(
    Object.entries(timeouts).map(([name, { text }]) => [
      name,
      { type: 'string' as const, placeholder: 'NUMBER', text },
    ]),
  ),
  tokenizer: {
    type: 'string',
    placeholder: 'PATH',
    text: 'tokenizer.json or GGUF file for counting the tokens of the models that --models names.',
  },
  canary: { type: 'boolean', text: 'Test it regularly with a short generation, which it may bill.' },
  'canary-prompt': { type: 'string', placeholder: 'TEXT', text: 'Question of these tests.' },
  'canary-expect': { type: 'string', placeholder: 'TEXT', text: 'What the answer must contain (default: anything).' },
}

type Options = CommandInput['options']

/** The fields of the upstream that these options set. */
export const readUpstreamOptions = (options: Options) => {
  const features = readListOption(options.features)
  const wanted = readListOption(options.capabilities)
  const capabilities = upstreamCapabilities.filter((known) => wanted?.includes(known))
  if (wanted !== undefined && capabilities.length !== new Set(wanted).size)
    throw new UsageError(`--capabilities must be some of ${upstreamCapabilities.join(', ')}`)
  const named = readListOption(options['built-in-tools'])?.filter((tool) => tool !== 'none')
  const tools = builtInTools.filter((known) => named?.includes(known))
  if (named !== undefined && tools.length !== new Set(named).size)
    throw new UsageError(`--built-in-tools must be some of ${builtInTools.join(', ')}, or none`)
  return {
    ...(named === undefined ? {} : { builtInTools: tools }),
    ...(features === undefined ? {} : { features }),
    ...(wanted === undefined ? {} : { capabilities }),
    ...readTimeouts(options),
    ...readCanary(options),
  }
}

/** Of the models that are named. Absolute, because the server runs elsewhere. */
export const readTokenizer = ({ tokenizer, models }: Options): { tokenizer?: string } => {
  if (typeof tokenizer !== 'string') return {}
  if (models === undefined) throw new UsageError('--tokenizer requires --models')
  return { tokenizer: resolve(tokenizer) }
}

type Timeouts = { connectTimeoutMs?: number; firstByteTimeoutMs?: number; silenceTimeoutMs?: number }

const readTimeouts = (options: Options): Timeouts => {
  const read: Timeouts = {}
  for (const [name, { field }] of Object.entries(timeouts)) {
    const value = options[name]
    if (value === undefined) continue
    const timeoutMs = readWhole(String(value))
    if (timeoutMs === undefined) throw new UsageError(`--${name} must be a whole number`)
    read[field] = timeoutMs
  }
  return read
}

const readCanary = (options: Options) => {
  const { canary, 'canary-prompt': prompt, 'canary-expect': expect } = options
  if (canary !== true && prompt === undefined && expect === undefined) return {}
  return {
    canary: {
      ...(typeof prompt === 'string' ? { prompt } : {}),
      ...(typeof expect === 'string' ? { expect } : {}),
    },
  }
}
