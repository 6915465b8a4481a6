import { text } from 'node:stream/consumers'
import { OperatorError } from '../base/operator-error.ts'
import { environment } from '../config/load-config.ts'
import { upstreamKinds } from '../config/upstream-names.ts'
import { upstreamPresetNames } from '../config/upstream-presets.ts'
import { parseMicros } from '../prices/decimal-amount.ts'
import { type Command, type CommandInput, readListOption, readWhole, UsageError } from './command.ts'
import { readTokenizer, readUpstreamOptions, upstreamOptions } from './upstream-options.ts'

/** What can be set about an upstream, when it is added and later. */
export const upstreamFieldOptions: Command['options'] = {
  'key-from': { type: 'string', placeholder: 'VARIABLE', text: 'Environment variable that contains its API key.' },
  'key-stdin': { type: 'boolean', text: 'Read its API key from standard input.' },
  preset: {
    type: 'string',
    placeholder: 'PRESET',
    text: `Provider or server that it is, which sets its URL, kind, features and capabilities: ${upstreamPresetNames.join(', ')}.`,
  },
  'api-version': {
    type: 'string',
    placeholder: 'VERSION',
    text: 'Version in the addresses of Azure OpenAI that contain a deployment (default: none).',
  },
  kind: { type: 'string', placeholder: 'KIND', text: `Its kind: ${upstreamKinds.join(', ')} (default: compatible).` },
  models: {
    type: 'string',
    placeholder: 'LIST',
    text: 'Models to serve, each NAME or NAME=NAME_AT_THE_UPSTREAM (default: all that it lists at /v1/models).',
  },
  'embedding-models': { type: 'string', placeholder: 'LIST', text: 'Embedding models to serve, like --models.' },
  'rerank-models': { type: 'string', placeholder: 'LIST', text: 'Reranking models to serve, like --models.' },
  'max-in-flight': { type: 'string', placeholder: 'NUMBER', text: 'Maximum concurrent requests (default: 64).' },
  price: {
    type: 'string',
    placeholder: 'PROMPT,CACHED,COMPLETION',
    text: 'Prices of a million tokens, in units of the currency (default: none).',
  },
  ...upstreamOptions,
}

/** Only those that were given. */
export const readUpstreamFields = async (options: CommandInput['options']) => {
  const kind = upstreamKinds.find((known) => known === options.kind)
  if (options.kind !== undefined && kind === undefined)
    throw new UsageError(`--kind must be one of ${upstreamKinds.join(', ')}`)
  const preset = upstreamPresetNames.find((known) => known === options.preset)
  if (options.preset !== undefined && preset === undefined)
    throw new UsageError(`--preset must be one of ${upstreamPresetNames.join(', ')}`)
  const { 'api-version': apiVersion } = options
  const models = readModels(options)
  const price = readPrice(options.price)
  const maxInFlight = readCount(options['max-in-flight'])
  const more = readUpstreamOptions(options)
  const key = await readKey(options)
  return {
    ...(key === undefined ? {} : { key }),
    ...(preset === undefined ? {} : { preset }),
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(models === undefined ? {} : { models }),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
    ...(price === undefined ? {} : { price }),
    ...more,
  }
}

const readKey = async (options: CommandInput['options']): Promise<string | undefined> => {
  const variable = options['key-from']
  if (variable !== undefined && options['key-stdin'] === true)
    throw new UsageError('--key-from and --key-stdin cannot be combined')
  if (options['key-stdin'] === true) {
    const key = (await text(process.stdin)).trim()
    if (key === '') throw new OperatorError('There is no key on standard input')
    return key
  }
  if (typeof variable !== 'string') return undefined
  const key = environment()[variable]
  if (key === undefined || key === '') throw new OperatorError(`The environment variable ${variable} is not set`)
  return key
}

/** Of all kinds; undefined if no option names any. */
const readModels = (options: CommandInput['options']) => {
  const ofModels = readTokenizer(options)
  const lists = [
    { kind: 'chat', items: readListOption(options.models) },
    { kind: 'embedding', items: readListOption(options['embedding-models']) },
    { kind: 'rerank', items: readListOption(options['rerank-models']) },
  ] as const
  if (lists.every(({ items }) => items === undefined)) return undefined
  return lists.flatMap(
    ({ kind, items }) =>
      items?.map((item) => ({ ...readModel(item), ...(kind === 'chat' ? ofModels : { kind }) })) ?? [],
  )
}

const readModel = (item: string): { name: string; upstreamName?: string } => {
  const [name = '', ...rest] = item.split('=')
  return rest.length === 0 ? { name } : { name, upstreamName: rest.join('=') }
}

const readCount = (value: string | boolean | undefined): number | undefined => {
  if (value === undefined) return undefined
  const count = readWhole(String(value))
  if (count === undefined) throw new UsageError('--max-in-flight must be a whole number')
  return count
}

const readPrice = (value: string | boolean | undefined) => {
  if (value === undefined) return undefined
  const amounts = String(value)
    .split(',')
    .flatMap((part) => (parseMicros(part.trim()) === null ? [] : Number(part)))
  const [prompt = 0, cached = 0, completion] = amounts
  if (completion === undefined || String(value).split(',').length !== 3)
    throw new UsageError('--price must be three numbers such as 2.5,0.25,10, with at most six decimal places')
  return { prompt, cached, completion }
}
