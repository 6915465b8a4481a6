import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { doneEvent, finishEvent, pieceEvent, sayJson, startUpstream, usageEvent } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const tokens = 40
const content = 'word '.repeat(tokens)

/** The same numbers in every run, from 0 to 1. */
const numbers = (): (() => number) => {
  let last = 11
  return () => {
    last = (last * 48_271) % 2_147_483_647
    return last / 2_147_483_647
  }
}

type Paced = { firstMs: number; tokenMs: number; answersJson?: boolean }

/** What it takes passes on the clock. A stream goes on when its first piece has arrived. */
const startPaced = async (clock: ManualClock, { firstMs, tokenMs, answersJson = false }: Paced) => {
  let goOn = (): void => {}
  const stream = async (response: ServerResponse): Promise<void> => {
    clock.advance(firstMs)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('first '))
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    clock.advance(tokens * tokenMs)
    response.end(pieceEvent(content) + finishEvent() + usageEvent(7, tokens) + doneEvent)
  }
  const upstream = await startUpstream((response, { body }) => {
    if (body.stream === true && !answersJson) return stream(response)
    clock.advance(firstMs + tokens * tokenMs)
    return sayJson(response, { content: `first ${content}` }, {}, { prompt_tokens: 7, completion_tokens: tokens })
  })
  return { upstream, answersJson, goOn: () => goOn() }
}

/** A server with a fast and a slow upstream. Only what these take is measured, so only they have the clock of the test. */
const start = async (fast: Paced, slow: Paced) => {
  const clock = createManualClock()
  const set = createUpstreamSet({ clock, log: silent, random: numbers() })
  const started = { fast: await startPaced(clock, fast), slow: await startPaced(clock, slow) }
  const upstreams = Object.entries(started).map(([name, { upstream }]) =>
    readUpstream({ name, url: upstream.baseUrl, models: [{ name: 'big' }], probeIntervalMs: 0 }, name),
  )
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({
    ...{ upstreams: set, config: { upstreams } },
    openModels: (config) => local.open(config, systemClock, set),
  })
  /** The upstream that answered. */
  const ask = async (stream: boolean): Promise<'fast' | 'slow'> => {
    const response = await helix.chat({ model: 'big', stream })
    const name = response.headers.get('x-helix-upstream') === 'fast' ? 'fast' : 'slow'
    expect(response.status).toBe(200)
    if (!stream) await response.json()
    else {
      const events = liveEvents(response)
      if (!started[name].answersJson) await events.until('first ')
      started[name].goOn()
      await events.rest()
    }
    return name
  }
  return { ask }
}

const fast: Paced = { firstMs: 100, tokenMs: 5 }
const slow: Paced = { firstMs: 400, tokenMs: 40 }

test.each<{ name: string; upstreams: [Paced, Paced]; isStream(request: number): boolean }>([
  { name: 'JSON', upstreams: [fast, slow], isStream: () => false },
  { name: 'streams', upstreams: [fast, slow], isStream: () => true },
  { name: 'JSON and streams in turn', upstreams: [fast, slow], isStream: (request) => request % 2 === 0 },
  {
    name: 'streams that the faster upstream answers with JSON',
    upstreams: [{ ...fast, answersJson: true }, slow],
    isStream: () => true,
  },
  {
    name: 'streams that the slower upstream answers with JSON',
    upstreams: [fast, { ...slow, answersJson: true }],
    isStream: () => true,
  },
])('once both upstreams were measured, new requests go to the faster one: $name', async ({ upstreams, isStream }) => {
  const { ask } = await start(...upstreams)
  const asked = { fast: 0, slow: 0 }
  for (let request = 0; Math.min(asked.fast, asked.slow) < 5; request += 1) asked[await ask(isStream(request))] += 1
  let toFast = 0
  for (let request = 0; request < 32; request += 1) if ((await ask(isStream(request))) === 'fast') toFast += 1
  expect(toFast).toBeGreaterThan(26)
})
