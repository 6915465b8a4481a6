import { expect, test } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'
import { type ReceivedHook, startReceiver } from '../harness/webhook-receiver.ts'

type Asked = { key_id: string; phase: string; texts: { text: string }[] }

/** A server with a cache and one HTTP hook; `decide` returns undefined to fail. */
const start = async (phases: HookSetting['phases'], decide: (asked: Asked) => unknown) => {
  const receiver = await startReceiver((response, { body }: ReceivedHook) => {
    const decision = decide(JSON.parse(body) as Asked)
    response.writeHead(decision === undefined ? 500 : 200).end(JSON.stringify(decision))
  })
  const hook: HookSetting = { name: 'policy', url: receiver.url, timeoutMs: 60_000, phases, onFailure: 'allow' }
  return startHelix({
    answer: (messages) => ['I was asked: ', messages.at(-1)?.content ?? ''],
    config: { hooks: [hook], cacheModels: [modelName] },
  })
}

const body = { temperature: 0, messages: [{ role: 'user', content: 'the plan' }] }
const ask = async (helix: Helix, key?: string) => {
  const authorized = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await helix.chat(body, { headers: { ...helix.authorized, ...authorized } })
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return [response.headers.get('x-helix-cache'), choices[0]?.message.content]
}
/** Answers are stored just after they were sent. */
const untilStored = async (helix: Helix): Promise<void> => {
  await using store = openStoreReader(helix)
  while ((await store.cache.bytes()).size === 0) await new Promise((resolve) => setImmediate(resolve))
}

test.each(['before', 'after'] as const)('a key never gets what a hook %s the answer keeps from it', async (phase) => {
  let trusted = ''
  const censored = { action: 'replace', texts: ['nothing'] }
  const helix = await start([phase], ({ key_id: id }) => (id === trusted ? { action: 'allow' } : censored))
  const colleague = await createKeyMaker(helix)()
  trusted = colleague.id
  expect(await ask(helix, colleague.key)).toEqual(['miss', 'I was asked: the plan'])
  await untilStored(helix)
  expect(await ask(helix, colleague.key)).toEqual(['hit', 'I was asked: the plan'])
  expect(await ask(helix)).toEqual(['miss', phase === 'before' ? 'I was asked: nothing' : 'nothing'])
})

test('a prompt that a hook begins to change has another answer', async () => {
  let decision: unknown = { action: 'allow' }
  const helix = await start(['before'], () => decision)
  await ask(helix)
  await untilStored(helix)
  expect((await ask(helix))[0]).toBe('hit')
  decision = { action: 'replace', texts: ['nothing'] }
  expect(await ask(helix)).toEqual(['miss', 'I was asked: nothing'])
})

test('an answer that no hook could check is not sent again once it can', async () => {
  let decision: unknown
  const helix = await start(['after'], () => decision)
  expect(await ask(helix)).toEqual(['miss', 'I was asked: the plan'])
  decision = { action: 'replace', texts: ['nothing'] }
  expect(await ask(helix)).toEqual(['miss', 'nothing'])
  await untilStored(helix)
  expect(await ask(helix)).toEqual(['hit', 'nothing'])
})
