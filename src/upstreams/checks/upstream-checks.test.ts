import { expect, onTestFinished, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { say, sayJson, startUpstream } from '../../../test/harness/scripted-upstream.ts'
import { createSeal } from '../../accounts/secrets/seal.ts'
import { readUpstream } from '../../config/upstream-setting.ts'
import { openUpstreamRegistry } from '../upstream-registry.ts'
import { createUpstreamSet } from '../upstream-set.ts'
import { openUpstreamChecks } from './upstream-checks.ts'

const never = new AbortController().signal
const intervalMs = 10_000
/** Without jitter, so that the test knows what the checks wait for. */
const random = () => 0.5

/** Upstreams in the settings of a server whose time the test sets, and that is asked for one answer at a time. */
const open = async (settings: readonly object[]) => {
  const scratch = scratchDirectory()
  const store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const { log, lines, logged } = createLogCatcher({ clock, format: 'json' })
  const set = createUpstreamSet({ clock, log, random })
  const registry = await openUpstreamRegistry({
    configured: settings.map((setting) => readUpstream({ models: ['m'], ...setting }, 'upstream')),
    ...{ records: store.upstreams, seal: createSeal(new Uint8Array(32)), set, clock, log },
  })
  const checks = openUpstreamChecks({ set, onCanary: registry.reportCanary, clock, log, random })
  onTestFinished(async () => {
    checks.close()
    await set.close()
    await store.close()
    scratch[Symbol.dispose]()
  })
  const ask = async (): Promise<string> => {
    const prompt = await set.models()[0]?.engine.prepare(talk('Hi'), never)
    if (prompt === undefined) throw new Error('no model')
    let text = ''
    for await (const event of prompt.generate({ ...openSampling, maxTokens: 10 }, never))
      if (event.type === 'text') text += event.text
    return text
  }
  const events = (): string[] => lines.map((line): string => JSON.parse(line).event)
  const stateOf = (name: string) => {
    const found = registry.list().find((upstream) => upstream.name === name)
    return [found?.state, found?.pauseReason, found?.lastCanary?.problem?.fault ?? null]
  }
  return { clock, ask, events, logged, stateOf, registry }
}

type UpstreamHandler = Parameters<typeof startUpstream>[0]
/** Requests are streamed, canaries are not. */
const answer = (
  response: Parameters<UpstreamHandler>[0],
  { body }: Parameters<UpstreamHandler>[1],
  text: string,
): void => (body.stream === true ? say(response, text) : sayJson(response, { content: text }))

test('an upstream that lies is found by its canary, gets no requests, and returns once it is right again', async () => {
  let word = 'purple'
  const liar = await startUpstream((response, asked) => answer(response, asked, word))
  const honest = await startUpstream((response, asked) => answer(response, asked, 'It is PARIS.'))
  const canary = { prompt: 'What is the capital of France?', expect: 'Paris', intervalMs }
  const { clock, ask, events, logged, stateOf } = await open([
    { name: 'honest', url: honest.baseUrl, probeIntervalMs: 0 },
    { name: 'liar', url: liar.baseUrl, probeIntervalMs: 0, canary },
  ])
  expect(await ask()).toBe('purple')
  expect(liar.asked).toHaveLength(1)

  clock.advance(intervalMs / 2)
  await clock.awaited(5000)
  expect(liar.asked[1]?.body).toEqual({
    ...{ model: 'm', messages: [{ role: 'user', content: canary.prompt }], temperature: 0, max_tokens: 8 },
  })
  // Once may be an accident.
  expect(stateOf('liar')).toEqual(['active', null, 'wrong_answer'])
  clock.advance(5000)
  await clock.awaited(750)
  expect(stateOf('liar')).toEqual(['paused', 'canary', 'wrong_answer'])
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['It is PARIS.', 'It is PARIS.', 'It is PARIS.'])

  // At the end of the pause it is the canary that decides, not whether it answers at all.
  clock.advance(750)
  await clock.awaited(1500)
  expect(stateOf('liar')).toEqual(['paused', 'canary', 'wrong_answer'])
  word = 'paris'
  clock.advance(1500)
  await logged({ event: 'upstream_recovered' })
  expect(stateOf('liar').slice(0, 2)).toEqual(['active', null])
  expect(new Set(await Promise.all([ask(), ask()]))).toContain('paris')
  expect(events().filter((event) => event.startsWith('upstream_'))).toEqual([
    ...['upstream_canary_failed', 'upstream_canary_failed', 'upstream_paused', 'upstream_paused', 'upstream_recovered'],
  ])
  // Only the one that has a canary was sent any.
  expect(honest.asked.every(({ body }) => JSON.stringify(body).includes('Hi'))).toBe(true)
})

test('an upstream that is gone is found without a request, and one that is in use is not probed', async () => {
  let isIll = false
  const gone = await startUpstream((response, asked) => {
    if (isIll) return response.writeHead(500).end('{}')
    return asked.body.messages === undefined ? response.writeHead(403).end('{}') : answer(response, asked, 'Hello')
  })
  const { clock, ask, events, stateOf } = await open([
    { name: 'other', url: 'http://127.0.0.1:1/v1', probeIntervalMs: 0 },
    { name: 'gone', url: gone.baseUrl, probeIntervalMs: intervalMs },
  ])
  clock.advance(intervalMs / 2)
  await clock.awaited(intervalMs)
  clock.advance(intervalMs / 2)
  expect(await ask()).toBe('Hello')
  clock.advance(intervalMs / 2)
  await clock.awaited(intervalMs)
  expect(gone.asked).toHaveLength(1)
  // It refuses to list its models, but it answers.
  clock.advance(intervalMs)
  await clock.awaited(intervalMs)
  expect(gone.asked).toHaveLength(2)
  expect(stateOf('gone')).toEqual(['active', null, null])
  isIll = true
  clock.advance(intervalMs)
  await clock.awaited(5000)
  expect(stateOf('gone')).toEqual(['active', null, null])
  clock.advance(5000)
  await clock.awaited(750)
  expect(stateOf('gone')).toEqual(['paused', 'failures', null])
  expect(events().filter((event) => event.startsWith('upstream_'))).toEqual([
    ...['upstream_probe_failed', 'upstream_probe_failed', 'upstream_paused'],
  ])
})

test('a canary asks with the settings that an upstream has now', async () => {
  const documents: Record<string, object> = {
    '/v1/models': { data: [] },
    '/v1/responses': { output: [{ content: [{ text: 'OK' }] }] },
  }
  const upstream = await startUpstream((response, asked) => {
    const document = documents[asked.url]
    return document === undefined ? answer(response, asked, 'OK') : response.end(JSON.stringify(document))
  })
  const { clock, registry } = await open([])
  const canary = { prompt: 'Reply with OK.', intervalMs }
  const models = [{ name: 'words', kind: 'embedding' }, { name: 'old' }]
  const changes = [
    { models: [{ name: 'words', kind: 'embedding' }, { name: 'new' }] },
    { capabilities: ['responses_for_chat'] },
    { kind: 'azure', apiVersion: '2024-10-21', capabilities: [] },
  ]
  await registry.add(owner, { name: 'u', url: upstream.baseUrl, probeIntervalMs: 0, canary, models })
  clock.advance(intervalMs / 2)
  await clock.awaited(intervalMs)
  for (const change of changes) {
    await registry.edit(owner, 'u', change)
    clock.advance(intervalMs / 2)
    await clock.awaited(intervalMs)
  }
  const asked = upstream.asked.filter(({ url }) => url !== '/v1/models' && !url.startsWith('/v1/models?'))
  expect(asked.map(({ url, body }) => [url, body.model])).toEqual([
    ['/v1/chat/completions', 'old'],
    ['/v1/chat/completions', 'new'],
    ['/v1/responses', 'new'],
    ['/v1/deployments/new/chat/completions?api-version=2024-10-21', 'new'],
  ])
})

const owner = { kind: 'command_line', id: null, name: null, address: null } as const
