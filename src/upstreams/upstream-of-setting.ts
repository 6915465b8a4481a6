import { type PriceSetting, priceOfSetting } from '../config/price-setting.ts'
import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamTls } from '../engine/remote/upstream-tls.ts'
import type { Upstream, UpstreamModel } from './contract.ts'

/** `listed`: the models that the upstream itself lists; they count if the setting names none. */
export const upstreamOfSetting = (
  setting: UpstreamSetting,
  listed: readonly UpstreamModel[],
  isDraining: boolean,
  tls: UpstreamTls | null = null,
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
  isDraining,
  models:
    setting.models?.map(
      ({ name, upstreamName, kind, aliases, weight, contextTokens, tokenizer, imageTokens, ...own }) => ({
        ...{ name, upstreamName: upstreamName ?? name, kind, aliases, weight, contextTokens, tokenizer, imageTokens },
        capabilities: own.capabilities ?? setting.capabilities,
        vectorLength: own.vectorLength ?? null,
        price: readPrice(own.price ?? setting.price),
      }),
    ) ?? listed.map((model) => listedModel(model, setting)),
})

/** What the upstream itself says that its models accept counts beside the setting. */
const listedModel = (model: UpstreamModel, { price, capabilities }: UpstreamSetting): UpstreamModel => ({
  ...model,
  capabilities: [...new Set([...model.capabilities, ...capabilities])],
  price: readPrice(price),
})

const readPrice = (price: PriceSetting | null) => (price === null ? null : priceOfSetting(price))
