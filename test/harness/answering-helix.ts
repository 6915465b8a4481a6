import { expect } from 'vitest'
import type { Engine, EngineEvent } from '../../src/engine/contract.ts'
import { openScriptedEngine } from '../../src/engine/scripted.ts'
import { readEvents } from './read-events.ts'
import { modelName, openHelix } from './start-helix.ts'

/** A server whose model answers with these events, and what its endpoints make of them. */
export const openAnsweringHelix = async (endpoints: Readonly<Record<string, object>>) => {
  let script: readonly EngineEvent[] = []
  const helix = await openHelix({ startEngine: () => startEngine(() => script) })
  const post = async (path: string, more: object): Promise<Response> => {
    const body = JSON.stringify({ model: modelName, ...endpoints[path], ...more })
    const response = await fetch(helix.baseUrl + path, { method: 'POST', headers: helix.authorized, body })
    expect(response.status, response.ok ? '' : await response.clone().text()).toBe(200)
    return response
  }
  return {
    /** What it answers from now on. */
    answer(events: readonly EngineEvent[]): void {
      script = events
    },
    whole: async (path: string): Promise<unknown> => (await post(path, {})).json(),
    streamed: async (path: string, more: object = {}): Promise<unknown[]> =>
      (await readEvents(await post(path, { stream: true, ...more })))
        .filter((data) => data !== '[DONE]')
        .map((data): unknown => JSON.parse(data)),
    close: helix.close,
  }
}

const startEngine = (script: () => readonly EngineEvent[]): Engine => {
  const engine = openScriptedEngine({
    model: {
      id: modelName,
      parsesAnswers: true,
      features: new Set(['tools', 'reasoning', 'grammar', 'logprobs', 'token_ids', 'template']),
    },
    answer: () => [],
  })
  return {
    ...engine,
    async prepare(conversation, signal) {
      const prompt = await engine.prepare(conversation, signal)
      return {
        ...prompt,
        async *generate() {
          for (const event of script()) {
            // Some events arrive together, others after a turn of the event loop.
            if (event.type === 'reasoning') await new Promise((resolve) => setImmediate(resolve))
            yield event
          }
        },
      }
    },
  }
}
