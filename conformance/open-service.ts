import { afterEach, beforeAll, expect } from 'vitest'
import { type Helix, modelName, openHelix } from '../test/harness/start-helix.ts'
import { createBodyChecks } from './check-bodies.ts'
import { createConformanceScript } from './scripted-model.ts'

/** One real server for the tests of a file, and the details a client needs to reach it. All traffic is checked. */
export type Service = {
  readonly helix: Helix
  readonly fetch: typeof fetch
  /** Fails unless the engine stops working on the last request, whose client has disconnected. */
  engineFreed(): Promise<void>
}

const withScript = () => openHelix({ answer: createConformanceScript() })

export const openService = (open: () => Promise<Helix> = withScript): Service => {
  let helix: Helix | null = null
  const checks = createBodyChecks()
  const opened = (): Helix => {
    if (helix === null) throw new Error('The server runs only while tests do')
    return helix
  }
  beforeAll(async () => {
    helix = await open()
    return helix.close
  })
  afterEach(() => {
    expect(checks.takeFaults()).toEqual([])
    expect(checks.checked()).toBeGreaterThan(0)
  })
  return {
    get helix() {
      return opened()
    },
    fetch: checks.fetch,
    async engineFreed() {
      const { engine, logged, chat } = opened()
      await logged({ event: 'request', requestId: checks.lastRequestId(), status: 499 })
      // The line is logged as the connection closes; by the end of another answer the engine has been notified.
      await (await chat({})).text()
      expect(engine.active()).toBe(0)
    },
  }
}

export const asking = (content: string) => ({ model: modelName, messages: [{ role: 'user' as const, content }] })

/** The error with which a call is refused; fails if it is not refused. */
export const failure = async (asked: Promise<unknown>): Promise<unknown> => {
  const outcome = await asked.then(
    () => null,
    (error: unknown) => ({ error }),
  )
  if (outcome === null) throw new Error('The call was not refused')
  return outcome.error
}
