import { expect, onTestFinished, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { sayJson, startUpstream } from '../../test/harness/scripted-upstream.ts'
import { createSeal } from '../accounts/secrets/seal.ts'
import { systemClock as clock } from '../base/clock.ts'
import type { UpstreamRecords } from '../store/upstream-contract.ts'
import { openUpstreamRegistry } from './upstream-registry.ts'
import { createUpstreamSet } from './upstream-set.ts'

const by = { kind: 'server', id: null, name: null, address: null } as const

/**
 * A registry that reads its list again at the worst moments, as every server does now and then: before each of its own changes, and
 * once more before it hears that the change was stored.
 */
const openBusy = async () => {
  const scratch = scratchDirectory()
  const store = await openScratchStore(scratch.path)
  const { log } = createLogCatcher({ clock, format: 'json' })
  const set = createUpstreamSet({ clock, log })
  const amid = async <Result>(change: () => Promise<Result>): Promise<Result> => {
    await registry.reload()
    const changed = await change()
    await registry.reload()
    return changed
  }
  const records: UpstreamRecords = {
    ...store.upstreams,
    insert: (...record) => amid(() => store.upstreams.insert(...record)),
    update: (...record) => amid(() => store.upstreams.update(...record)),
    setDraining: (...drained) => amid(() => store.upstreams.setDraining(...drained)),
    remove: (...removed) => amid(() => store.upstreams.remove(...removed)),
  }
  const seal = createSeal(new Uint8Array(32))
  const registry = await openUpstreamRegistry({ configured: [], records, seal, set, clock, log })
  onTestFinished(async () => {
    await set.close()
    await store[Symbol.asyncDispose]()
    scratch[Symbol.dispose]()
  })
  return { registry, set }
}

test('changes apply at once, although the list is read again at the same time', async () => {
  const { baseUrl } = await startUpstream((response) => sayJson(response, { content: 'x' }))
  const { registry, set } = await openBusy()
  const shown = () => registry.list().map(({ name, url, state }) => [name, url, state])
  const used = () => set.list().map(({ name, baseUrl: address, isDraining }) => [name, address, isDraining])
  const other = `${baseUrl.replace('127.0.0.1', 'localhost')}`

  await registry.add(by, { name: 'one', url: baseUrl, models: ['m'] })
  expect(used()).toEqual([['one', baseUrl, false]])
  expect(shown()).toHaveLength(1)
  await registry.edit(by, 'one', { url: other })
  expect(used()).toEqual([['one', other, false]])
  await registry.setDraining(by, 'one', true)
  expect(used()).toEqual([['one', other, true]])
  expect(shown()).toEqual([['one', other, 'draining']])
  await registry.remove(by, 'one')
  expect([used(), shown()]).toEqual([[], []])
})

test('the report of a check is shown, although the list is read again while it runs', async () => {
  const reached = Promise.withResolvers<void>()
  let mayAnswer = Promise.resolve()
  const { baseUrl } = await startUpstream(async (response) => {
    reached.resolve()
    await mayAnswer
    response.writeHead(401).end()
  })
  const { registry } = await openBusy()
  await registry.add(by, { name: 'one', url: baseUrl, models: ['m'] })
  const answering = Promise.withResolvers<void>()
  mayAnswer = answering.promise
  const checking = registry.check('one')
  await reached.promise
  await registry.setDraining(by, 'one', true)
  answering.resolve()
  expect((await checking).problem?.fault).toBe('key_refused')
  expect(registry.list()[0]?.lastCheck?.problem?.fault).toBe('key_refused')
})
