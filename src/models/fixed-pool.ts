import type { Engine } from '../engine/contract.ts'
import { kindOfFeatures } from '../engine/wrong-model-kind.ts'
import type { RequestQueue } from '../schedule/request-queue.ts'
import type { ModelPool } from './contract.ts'

/** An engine that is always there, such as an upstream. */
export const fixedPool = (engine: Engine, queue: RequestQueue): ModelPool => ({
  get model() {
    return engine.model
  },
  aliases: [],
  get kind() {
    return kindOfFeatures(engine.model.features)
  },
  slots: engine.slots,
  queue,
  status: () => ({ state: engine.state(), reason: null, memory: null, process: null, diskBytes: null }),
  use: async () => ({ engine, release: () => {} }),
})
