import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { scriptModels } from '../../test/harness/scripted-models.ts'
import { loadConfig } from '../config/load-config.ts'

const config = loadConfig({ flags: {}, environment: {}, configFile: null })
/** A busy machine may take long. */
const patient = { timeout: 60_000 }
const never = new AbortController().signal

test('models are found by name and alias, and the default comes first', async () => {
  const scripted = scriptModels([
    { id: 'a', aliases: ['x', 'y'] },
    { id: 'b', isDefault: true },
  ])
  const models = scripted.open(config, createManualClock())
  expect(models.list().map(({ model }) => model.id)).toEqual(['b', 'a'])
  expect(models.defaultPool.model.id).toBe('b')
  for (const name of ['a', 'x', 'y']) expect(models.find(name)?.model.id).toBe('a')
  for (const name of ['', 'c', 'A', '__proto__', 'constructor']) expect(models.find(name)).toBeNull()
  await models.close()
})

test('without a default, the first model is it', async () => {
  const models = scriptModels([{ id: 'a' }, { id: 'b' }]).open(config, createManualClock())
  expect(models.defaultPool.model.id).toBe('a')
  await expect.poll(() => models.find('a')?.status().state, patient).toBe('ready')
  await models.close()
})

test('only the default model is loaded at the start', async () => {
  const scripted = scriptModels([{ id: 'a' }, { id: 'b', isDefault: true }])
  const models = scripted.open(config, createManualClock())
  await expect.poll(() => scripted.engines('b').length, patient).toBe(1)
  expect(scripted.engines('a')).toHaveLength(0)
  await models.close()
})

test('a reload adds, removes and renames models; unchanged ones stay loaded', async () => {
  const kept = { id: 'kept', isDefault: true }
  const scripted = scriptModels([kept, { id: 'gone' }])
  const models = scripted.open(config, createManualClock())
  const before = models.find('kept')
  const running = await models.find('gone')?.use(never)
  scripted.change([{ ...kept, aliases: ['k'] }, { id: 'new' }])
  await models.reload()
  expect(models.list().map(({ model }) => model.id)).toEqual(['kept', 'new'])
  expect(models.find('k')).toBe(before)
  expect(scripted.engines('kept')).toHaveLength(1)
  expect(models.find('gone')).toBeNull()
  // The answer that was running ends by itself.
  const [engine] = scripted.engines('gone')
  expect(engine?.isClosed()).toBe(false)
  running?.release()
  await expect.poll(() => engine?.isClosed(), patient).toBe(true)
  await models.close()
})

test('a reload with another default loads it; the former one may then be unloaded', async () => {
  const scripted = scriptModels([{ id: 'a', isDefault: true }, { id: 'b' }])
  const clock = createManualClock()
  const models = scripted.open(config, clock)
  await expect.poll(() => models.find('a')?.status().state, patient).toBe('ready')
  scripted.change([{ id: 'a' }, { id: 'b', isDefault: true }])
  await models.reload()
  expect(models.defaultPool.model.id).toBe('b')
  await expect.poll(() => models.find('b')?.status().state, patient).toBe('ready')
  clock.advance(15 * 60_000)
  expect(models.find('a')?.status().state).toBe('unloaded')
  expect(models.find('b')?.status().state).toBe('ready')
  await models.close()
})

test('a reload opens a model again that failed, or whose files were replaced', async () => {
  const scripted = scriptModels([
    { id: 'a', isDefault: true },
    { id: 'b', failure: 'b is damaged' },
  ])
  const models = scripted.open(config, createManualClock())
  expect(models.find('b')?.status()).toMatchObject({ state: 'failed', reason: 'b is damaged' })
  const old = models.find('a')
  scripted.change([{ id: 'a', isDefault: true, diskBytes: 2 }, { id: 'b' }])
  await models.reload()
  expect(models.find('b')?.status().state).toBe('unloaded')
  expect(models.find('a')).not.toBe(old)
  await models.close()
})

test('closing closes removed models too that still answer', async () => {
  const scripted = scriptModels([{ id: 'a', isDefault: true }, { id: 'b' }])
  const models = scripted.open(config, createManualClock())
  await models.find('b')?.use(never)
  scripted.change([{ id: 'a', isDefault: true }])
  await models.reload()
  await models.close()
  expect(scripted.engines('b')[0]?.isClosed()).toBe(true)
})
