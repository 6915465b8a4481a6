import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ggufBytes } from '../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../../scripts/tiny-models/tiny-models.ts'
import { systemClock } from '../../src/base/clock.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Config } from '../../src/config/settings.ts'
import type { Models } from '../../src/models/contract.ts'
import { describeModels } from '../../src/models/describe-models.ts'
import { createMemoryBudget } from '../../src/models/memory-budget.ts'
import { modelEntries } from '../../src/models/model-entries.ts'
import { readModelList } from '../../src/models/model-list-file.ts'
import { openModels } from '../../src/models/open-models.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { openLoadableEngine } from './loadable-engine.ts'
import { modelName } from './start-helix.ts'
import { tempDir } from './temp-dir.ts'

export const tinyChat = ggufBytes(tinyModels['tiny-chat']())

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** The models of a data directory, with real files and scripted engines: options for `startHelix` and `startSite`. */
export const listedModels = async (more: Partial<Config> = {}) => {
  const dataDir = await tempDir()
  const model = join(dataDir, 'first.gguf')
  writeFileSync(model, tinyChat)
  const config = { ...more, dataDir, model, modelName, engineGpu: false as const }
  const settings: Config = { ...loadConfig({ flags: {}, environment: {}, configFile: null }), ...config }
  const describe = async () => describeModels(modelEntries(settings, await readModelList(dataDir)), quiet)
  const described = await describe()
  const open = (): Models =>
    openModels({
      ...{ described, describe, defaultUpstream: null, settings, onRefused: () => {}, clock: systemClock, log: quiet },
      upstreams: createUpstreamSet({ clock: systemClock, log: quiet }),
      budget: createMemoryBudget(1e12),
      openEngine({ served: { id } }, slots) {
        const engine = openLoadableEngine({ id, slots, answer: () => [`I am ${id}.`] })
        engine.ready()
        return engine
      },
    })
  return { config, openModels: open }
}
