import { openScriptedEngine, type Script, type ScriptedEngine } from '../../src/engine/scripted.ts'
import type { LoadableEngine } from '../../src/models/loadable-model.ts'

type LoadableEngineOptions = {
  id?: string
  slots?: number
  answer?: Script
  /** Takes this much once it is loaded. */
  memoryBytes?: number
  /** Of its process. */
  processBytes?: number
  gpuFault?: string | null
}

export type ScriptedLoad = ScriptedEngine &
  LoadableEngine & {
    ready(): void
    refuse(reason: string): void
    isClosed(): boolean
  }

/** A scripted engine that loads until the test says that it is ready. */
export const openLoadableEngine = (options: LoadableEngineOptions = {}): ScriptedLoad => {
  const { id = 'm', slots = 4, answer = () => ['Hello'], memoryBytes = 100 } = options
  const { processBytes = 150, gpuFault = null } = options
  const engine = openScriptedEngine({ model: { id }, slots, answer })
  const first = Promise.withResolvers<Awaited<LoadableEngine['firstLoad']>>()
  let isReady = false
  let isClosed = false
  engine.setState('loading')
  return {
    ...engine,
    firstLoad: first.promise,
    get memory() {
      return isReady ? { weights: memoryBytes, cache: 0, buffers: 0 } : null
    },
    process: () => (isReady ? { memoryBytes: processBytes, cacheUse: null, gpu: null, gpuFault } : null),
    ready() {
      isReady = true
      engine.setState('ready')
      first.resolve({ outcome: 'ready' })
    },
    refuse: (reason) => first.resolve({ outcome: 'refused', reason }),
    isClosed: () => isClosed,
    async close() {
      isClosed = true
      first.resolve({ outcome: 'closed' })
      await engine.close()
    },
  }
}
