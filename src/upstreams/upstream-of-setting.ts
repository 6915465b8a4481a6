import { type PriceSetting, priceOfSetting } from '../config/price-setting.ts'
import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { Upstream, UpstreamModel } from './contract.ts'

/** `listed`: the models that the upstream itself lists; they count if the setting names none. */
export const upstreamOfSetting = (
  setting: UpstreamSetting,
  listed: readonly UpstreamModel[],
  isDraining: boolean,
): Upstream => ({
  name: setting.name,
  baseUrl: setting.url,
  key: setting.key,
  kind: setting.kind,
  fields: setting.features,
  maxInFlight: setting.maxInFlight,
  timeouts: {
    connectMs: setting.connectTimeoutMs,
    firstByteMs: setting.firstByteTimeoutMs,
    silenceMs: setting.silenceTimeoutMs,
  },
  isDraining,
  models:
    setting.models?.map(({ name, upstreamName, aliases, weight, contextTokens, tokenizer, price }) => ({
      ...{ name, upstreamName: upstreamName ?? name, aliases, weight, contextTokens, tokenizer },
      price: priceOf(price ?? setting.price),
    })) ?? listed.map((model) => ({ ...model, price: priceOf(setting.price) })),
})

const priceOf = (price: PriceSetting | null) => (price === null ? null : priceOfSetting(price))
