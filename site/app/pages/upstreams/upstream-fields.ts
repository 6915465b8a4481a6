import type { UpstreamPresetName } from '../../../../src/config/upstream-presets.ts'
import { upstreamPresets } from '../../../../src/config/upstream-presets.ts'
import type { UpstreamShown, upstreamChanges } from '../../../../src/platform/contract/upstreams.ts'

type Kind = UpstreamShown['kind']
type Settings = UpstreamShown['settings']
type ModelSetting = NonNullable<Settings['models']>[number]
type Body = ReturnType<typeof upstreamChanges>

/** What the form holds: texts as they were typed. Empty: the default. */
export type UpstreamFields = {
  preset: UpstreamPresetName | 'none'
  kind: Kind
  canary: 'off' | 'on'
} & Record<UpstreamTextName, string>

export type UpstreamTextName =
  | 'name'
  | 'url'
  | 'key'
  | 'models'
  | 'embeddingModels'
  | 'rerankModels'
  | 'maxInFlight'
  | 'apiVersion'
  | 'features'
  | 'capabilities'
  | 'builtInTools'
  | 'connectSeconds'
  | 'firstByteSeconds'
  | 'silenceSeconds'
  | 'promptPrice'
  | 'cachedPrice'
  | 'completionPrice'
  | 'tokenizer'
  | 'canaryPrompt'
  | 'canaryExpect'

const timeouts = { connectSeconds: 10, firstByteSeconds: 300, silenceSeconds: 300 } as const

const newFields: UpstreamFields = {
  ...{ preset: 'none', kind: 'compatible', canary: 'off', maxInFlight: '64' },
  ...{ name: '', url: '', key: '', models: '', embeddingModels: '', rerankModels: '', apiVersion: '' },
  ...{ features: '', capabilities: '', builtInTools: '', connectSeconds: '', firstByteSeconds: '', silenceSeconds: '' },
  ...{ promptPrice: '', cachedPrice: '', completionPrice: '', tokenizer: '', canaryPrompt: '', canaryExpect: '' },
}

/** Null: a new one. */
export const fieldsOf = (upstream: UpstreamShown | null): UpstreamFields => {
  if (upstream === null) return newFields
  const { name, url, kind, preset, maxInFlight, settings } = upstream
  const { apiVersion, features, capabilities, builtInTools, price, canary, models } = settings
  const seconds = (ms: number, usual: number): string => (ms === usual * 1000 ? '' : String(ms / 1000))
  return {
    ...{ name, url, kind, key: '', preset: preset ?? 'none', maxInFlight: String(maxInFlight) },
    ...{ models: namesOf(models, 'chat'), embeddingModels: namesOf(models, 'embedding') },
    rerankModels: namesOf(models, 'rerank'),
    ...{ apiVersion: apiVersion ?? '', features: features.join(', '), capabilities: capabilities.join(', ') },
    builtInTools: builtInTools.join(', '),
    connectSeconds: seconds(settings.connectTimeoutMs, timeouts.connectSeconds),
    firstByteSeconds: seconds(settings.firstByteTimeoutMs, timeouts.firstByteSeconds),
    silenceSeconds: seconds(settings.silenceTimeoutMs, timeouts.silenceSeconds),
    promptPrice: price === null ? '' : String(price.prompt),
    cachedPrice: price === null ? '' : String(price.cached),
    completionPrice: price === null ? '' : String(price.completion),
    tokenizer: tokenizerOf(models),
    ...{
      canary: canary === null ? 'off' : 'on',
      canaryPrompt: canary?.prompt ?? '',
      canaryExpect: canary?.expect ?? '',
    },
  }
}

/** What a preset sets is put into the fields, where it can be seen and changed. */
export const withPreset = (fields: UpstreamFields, preset: UpstreamFields['preset']): UpstreamFields => {
  if (preset === 'none') return { ...fields, preset }
  const { url, kind, features = [], capabilities = [] } = upstreamPresets[preset]
  const isTyped = fields.name.trim() !== '' && fields.name !== fields.preset
  const name = isTyped ? fields.name : preset
  // Those were allowed for another provider.
  const texts = { features: features.join(', '), capabilities: capabilities.join(', '), builtInTools: '' }
  return { ...fields, ...texts, preset, kind, name, url: url ?? '' }
}

/** As the server expects them. What is no number is sent as it is, and the server names the field. */
export const bodyOf = (fields: UpstreamFields, known: Settings | null): Body => {
  const { preset, kind } = fields
  const key = fields.key.trim()
  return {
    ...{ url: fields.url.trim(), preset: preset === 'none' ? null : preset, kind },
    ...(key === '' ? {} : { key }),
    maxInFlight: Number(fields.maxInFlight),
    models: modelsOf(fields, known?.models ?? null),
    apiVersion: fields.apiVersion.trim() || null,
    features: itemsIn(fields.features),
    capabilities: asCapabilities(itemsIn(fields.capabilities)),
    builtInTools: asBuiltInTools(itemsIn(fields.builtInTools)),
    connectTimeoutMs: inMs(fields.connectSeconds, timeouts.connectSeconds),
    firstByteTimeoutMs: inMs(fields.firstByteSeconds, timeouts.firstByteSeconds),
    silenceTimeoutMs: inMs(fields.silenceSeconds, timeouts.silenceSeconds),
    price: priceOf(fields),
    canary: fields.canary === 'off' ? null : canaryOf(fields, known?.canary ?? null),
  }
}

/** Only what differs from what the form showed at first, so that nothing else is overwritten that somebody changed meanwhile. Another preset sets several fields. */
export const changesOf = (fields: UpstreamFields, shown: UpstreamShown): Body => {
  const body = bodyOf(fields, shown.settings)
  const before: Body = bodyOf(fieldsOf(shown), shown.settings)
  if (body.preset !== before.preset) return body
  const isSame = ([name, value]: [string, unknown]): boolean =>
    Object.entries(before).some(([other, known]) => other === name && JSON.stringify(known) === JSON.stringify(value))
  return Object.fromEntries(Object.entries(body).filter((entry) => !isSame(entry)))
}

const tokenizerOf = (models: Settings['models']): string =>
  models?.find(({ tokenizer }) => tokenizer !== null)?.tokenizer ?? ''

/** Separated by commas, of either language. */
export const itemsIn = (text: string): string[] =>
  text
    .split(/[,、]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')

const namesOf = (models: Settings['models'], kind: ModelSetting['kind']): string =>
  models
    ?.filter((model) => model.kind === kind)
    .map(({ name, upstreamName }) =>
      upstreamName === null || upstreamName === name ? name : `${name}=${upstreamName}`,
    )
    .join(', ') ?? ''

/** Models that were known keep what the form does not show. Null: those that the upstream lists. */
const modelsOf = (fields: UpstreamFields, known: Settings['models']): Exclude<Body['models'], undefined> => {
  const tokenizer = fields.tokenizer.trim() || null
  // Only the first is shown: the others stay unless it is changed.
  const isKept = known !== null && fields.tokenizer === tokenizerOf(known)
  const lists = [
    { kind: 'chat', text: fields.models },
    { kind: 'embedding', text: fields.embeddingModels },
    { kind: 'rerank', text: fields.rerankModels },
  ] as const
  const models = lists.flatMap(({ kind, text }) =>
    itemsIn(text).map((item) => {
      const [name = '', ...rest] = item.split('=')
      const model = known?.find((one) => one.name === name)
      const before = model ?? {}
      const own = isKept && model !== undefined ? model.tokenizer : tokenizer
      const upstreamName = rest.length === 0 ? null : rest.join('=')
      return { ...before, name, upstreamName, kind, tokenizer: kind === 'chat' ? own : null }
    }),
  )
  return models.length === 0 ? null : models
}

const priceOf = ({ promptPrice, cachedPrice, completionPrice }: UpstreamFields): Exclude<Body['price'], undefined> => {
  const prices = { prompt: promptPrice, cached: cachedPrice, completion: completionPrice }
  const set = Object.entries(prices).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, Number(text)]]))
  return set.length === 0 ? null : Object.fromEntries(set)
}

/** The form does not show how often it is asked. */
const canaryOf = ({ canaryPrompt, canaryExpect }: UpstreamFields, known: Settings['canary']) => ({
  ...(known === null ? {} : { intervalMs: known.intervalMs }),
  ...(canaryPrompt.trim() === '' ? {} : { prompt: canaryPrompt.trim() }),
  ...(canaryExpect.trim() === '' ? {} : { expect: canaryExpect.trim() }),
})

const inMs = (seconds: string, usual: number): number => Math.round(Number(seconds.trim() || usual) * 1000)

/** Sound because the server checks them, and names the field if one is unknown. */
const asCapabilities = (words: string[]): NonNullable<Body['capabilities']> =>
  words as NonNullable<Body['capabilities']>

/** Sound for the same reason. */
const asBuiltInTools = (words: string[]): NonNullable<Body['builtInTools']> =>
  words as NonNullable<Body['builtInTools']>
