import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { openScriptedEngine, type Script } from '../../src/engine/scripted.ts'
import type { ModelPool, Models } from '../../src/models/contract.ts'
import { modelNames } from '../../src/models/model-names.ts'
import { singleModel } from '../../src/models/single-model.ts'

type ScriptedModel = {
  id: string
  answer?: Script
  /** Replaces the scripted engine. */
  engine?: () => Engine
  contextTokens?: number
  sampling?: NonNullable<ModelPool['model']['sampling']>
  features?: NonNullable<ModelPool['model']['features']>
  /** Replaces what the pool of a scripted engine says. */
  pool?: Partial<Pick<ModelPool, 'aliases' | 'kind' | 'status'>>
}

/** Several scripted models; the first is the default. */
export const severalModels =
  (models: readonly ScriptedModel[]) =>
  (config: Config): Models => {
    const singles = models.map(
      ({ id, answer = () => [`I am ${id}.`], engine, contextTokens = 4096, features, sampling }) => {
        const known = {
          ...(features === undefined ? {} : { features }),
          ...(sampling === undefined ? {} : { sampling }),
        }
        const model = { id, contextTokens, ...known }
        return singleModel(engine?.() ?? openScriptedEngine({ model, answer }), config, systemClock)
      },
    )
    const [first] = singles
    if (first === undefined) throw new Error('there is at least one model')
    const pools = singles.map(({ defaultPool }, index) => ({ ...defaultPool, ...models[index]?.pool }))
    return {
      ...first,
      list: () => pools,
      find: (name) => pools.find((pool) => modelNames(pool).includes(name)) ?? null,
      defaultPool: pools[0] ?? first.defaultPool,
      async close() {
        for (const single of singles) await single.close()
      },
    }
  }
