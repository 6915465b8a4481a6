import type { Engine } from '../../engine/contract.ts'

/** An engine that may have to answer for a while after nothing new is sent to it. */
export interface OpenedEngine {
  readonly engine: Engine
  /** An answer begins; the returned function ends it and is called once. */
  use(): () => void
  /** Closes the engine after its last answer. */
  retire(): void
}

export const createOpenedEngine = (engine: Engine): OpenedEngine => {
  let answers = 0
  let isRetired = false
  const closeIfDone = (): void => {
    if (isRetired && answers === 0) void engine.close()
  }
  return {
    engine,
    use() {
      answers += 1
      return () => {
        answers -= 1
        closeIfDone()
      }
    },
    retire() {
      isRetired = true
      closeIfDone()
    },
  }
}
