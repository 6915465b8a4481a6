import { type PriceSetting, priceOfSetting } from '../config/price-setting.ts'
import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamTls } from '../engine/remote/upstream-tls.ts'
import type { Upstream, UpstreamModel } from './contract.ts'
import { findHostedPrice, type HostedPrices } from './hosted-prices.ts'

/** `listed`: the models that the upstream itself lists; they count if the setting names none. */
export const upstreamOfSetting = (
  setting: UpstreamSetting,
  listed: readonly UpstreamModel[],
  isDraining: boolean,
  tls: UpstreamTls | null = null,
  hosted: HostedPrices | null = null,
): Upstream => ({
  name: setting.name,
  baseUrl: setting.url,
  key: setting.key,
  tls,
  kind: setting.kind,
  apiVersion: setting.apiVersion,
  fields: setting.features,
  maxInFlight: setting.maxInFlight,
  timeouts: {
    connectMs: setting.connectTimeoutMs,
    firstByteMs: setting.firstByteTimeoutMs,
    silenceMs: setting.silenceTimeoutMs,
  },
  probeIntervalMs: setting.probeIntervalMs,
  canary: setting.canary,
  builtInTools: setting.builtInTools,
  isDraining,
  models:
    setting.models?.map(
      ({ name, upstreamName, kind, aliases, weight, contextTokens, tokenizer, imageTokens, ...own }) => ({
        ...{ name, upstreamName: upstreamName ?? name, kind, aliases, weight, contextTokens, tokenizer, imageTokens },
        capabilities: own.capabilities ?? setting.capabilities,
        vectorLength: own.vectorLength ?? null,
        ...(own.weightsId === undefined ? {} : { weightsId: own.weightsId }),
        ...modelPrice(own.price, upstreamName ?? name, setting, hosted),
      }),
    ) ?? listed.map((model) => listedModel(model, setting, hosted)),
})

/** What the upstream itself says that its models accept counts beside the setting. */
const listedModel = (model: UpstreamModel, setting: UpstreamSetting, hosted: HostedPrices | null): UpstreamModel => ({
  ...model,
  capabilities: [...new Set([...model.capabilities, ...setting.capabilities])],
  ...modelPrice(null, model.upstreamName, setting, hosted),
})

/** That of the model, of the upstream, or of its provider. */
const modelPrice = (
  own: PriceSetting | null,
  upstreamName: string,
  { preset, price }: UpstreamSetting,
  hosted: HostedPrices | null,
): Pick<UpstreamModel, 'price' | 'priceDate'> => {
  const set = own ?? price
  if (set !== null) return { price: priceOfSetting(set), priceDate: null }
  const found = findHostedPrice(hosted, preset, upstreamName)
  return found === null
    ? { price: null, priceDate: null }
    : { price: priceOfSetting(found.price), priceDate: found.date }
}
