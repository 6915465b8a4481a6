import { expect, test } from 'vitest'
import { settingNames } from '../../src/config/settings.ts'
import { claimServer } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

type Engine = {
  slots: { total: number; running: number; waiting: number; queueLimit: number }
  lastMinute: { requests: number; tokensPerSecond: number }
}

test('the owner sees the model, running and waiting requests, and the speed of the last minute', async () => {
  const clock = createManualClock()
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    engine: { slots: 1 },
    config: { queueLimit: 3 },
    *answer() {
      begun.resolve()
      yield { pause: go.promise }
      yield* ['Hello', ', ', 'world', '!']
    },
  })
  const owner = await claimServer(helix)
  const look = async () => (await (await owner.get('/admin/engine')).json()) as Engine
  const running = helix.chat({})
  await begun.promise
  const waiting = helix.chat({})
  await expect.poll(async () => (await look()).slots.waiting).toBe(1)
  expect(await look()).toMatchObject({
    kind: 'embedded',
    state: 'ready',
    models: [{ id: modelName, features: expect.arrayContaining(['tools']) }],
    slots: { total: 1, running: 1, waiting: 1, queueLimit: 3 },
    lastMinute: { requests: 0, tokensPerSecond: 0, answerTokensPerSecond: null, firstTokenMs: null },
  })
  go.resolve()
  expect((await running).status).toBe(200)
  expect((await waiting).status).toBe(200)
  clock.advance(2_000)
  const after = await look()
  expect(after).toMatchObject({ slots: { running: 0, waiting: 0 }, lastMinute: { requests: 2, failed: 0 } })
  expect(after.lastMinute.tokensPerSecond).toBeCloseTo(8 / 60)
  clock.advance(60_000)
  expect(await look()).toMatchObject({ lastMinute: { requests: 0 } })
})

test('the owner sees every setting, and of secrets only whether they are set', async () => {
  const secrets = { smtpUrl: 'smtp://user:hunter2@127.0.0.1:1', upstreamKey: 'sk-hidden' }
  const helix = await startHelix({ config: { ...secrets, mailFrom: 'a@b.example', signUp: 'invitation' } })
  const owner = await claimServer(helix)
  const response = await owner.get('/admin/configuration')
  const text = await response.text()
  for (const part of ['hunter2', 'sk-hidden', 'user:']) expect(text).not.toContain(part)
  const { signUp, data } = JSON.parse(text) as { signUp: string; data: { name: string }[] }
  expect(signUp).toBe('invitation')
  expect(data.map(({ name }) => name)).toEqual(settingNames)
  const find = (wanted: string) => data.find(({ name }) => name === wanted)
  const hidden = { value: null, isSecret: true, default: null }
  expect(find('smtpUrl')).toMatchObject({ ...hidden, isSet: true, isDefault: false })
  expect(find('apiKey')).toMatchObject({ ...hidden, isSet: false, isDefault: true })
  expect(find('signUp')).toEqual({
    name: 'signUp',
    environmentName: 'HELIX_SIGN_UP',
    value: 'invitation',
    isSet: true,
    isSecret: false,
    default: 'open',
    isDefault: false,
    source: 'default',
    place: null,
    editedIn: 'signUp',
    isFixed: false,
    ignoredBecause: null,
    unsavedValue: null,
  })
  expect(find('corsOrigins')).toMatchObject({ value: '*', isDefault: true })
  expect(find('publicUrl')).toMatchObject({ value: null, isSet: false, isDefault: true })
})
