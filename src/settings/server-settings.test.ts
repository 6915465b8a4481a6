import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { createSeal } from '../accounts/secrets/seal.ts'
import { createLiveConfig } from '../config/live-config.ts'
import { loadStartedConfig } from '../config/load-config.ts'
import { openServerSettings } from './server-settings.ts'

const actor = { kind: 'server', id: null, name: null, address: null } as const
const mail = { smtpUrl: 'smtp://mail.example', mailFrom: 'helix@example.com' }

test('a secret that another key has sealed is warned about once, and again only when it was saved again', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { config, origins } = loadStartedConfig({ flags: {}, environment: {}, configFile: null })
  const open = (key: number, log: ReturnType<typeof createLogCatcher>['log']) =>
    openServerSettings({
      ...{ live: createLiveConfig(config), origins, records: store.settings, clock, log, announce: () => {} },
      seal: createSeal(Buffer.alloc(32, key)),
    })
  const own = await open(1, createLogCatcher({ clock, format: 'json' }).log)
  await own.save(actor, mail)

  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  const other = await open(2, log)
  const warnings = () => lines.filter((line) => line.includes('another secret key'))
  for (let n = 0; n < 3; n += 1) await other.reload()
  expect(warnings()).toHaveLength(1)
  clock.advance(1000)
  await own.save(actor, { smtpUrl: 'smtp://other.example' })
  for (let n = 0; n < 3; n += 1) await other.reload()
  expect(warnings()).toHaveLength(2)
  await own.save(actor, { smtpUrl: null })
  await other.reload()
  expect(warnings()).toHaveLength(2)
})

test('the store is read and written one after the other, so that no reading undoes a change that it has not seen', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { config, origins } = loadStartedConfig({ flags: {}, environment: {}, configFile: null })
  const { log } = createLogCatcher({ clock, format: 'json' })
  const live = createLiveConfig(config)
  let running = 0
  const atOnce: number[] = []
  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    running += 1
    atOnce.push(running)
    return work.finally(() => {
      running -= 1
    })
  }
  const records: typeof store.settings = {
    list: () => counted(store.settings.list()),
    save: (...changes) => counted(store.settings.save(...changes)),
  }
  const seal = createSeal(Buffer.alloc(32, 1))
  const settings = await openServerSettings({ live, origins, records, seal, clock, log, announce: () => {} })
  await Promise.all([settings.reload(), settings.save(actor, mail), settings.reload()])
  expect(atOnce).toEqual([1, 1, 1, 1, 1])
  expect(live.config.mailFrom).toBe(mail.mailFrom)
})
