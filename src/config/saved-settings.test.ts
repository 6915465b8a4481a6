import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchDirectory } from '../../test/harness/scratch-store.ts'
import { createLiveConfig } from './live-config.ts'
import { loadStartedConfig, type Sources } from './load-config.ts'
import { applySaved, type SavedSettings } from './saved-settings.ts'
import type { SettingName } from './settings.ts'

const load = (sources: Partial<Sources> = {}) =>
  loadStartedConfig({ flags: {}, environment: {}, configFile: null, ...sources })

const saved = (values: Partial<Record<SettingName, unknown>>): SavedSettings =>
  new Map(Object.entries(values)) as SavedSettings

test('the command line and the environment come before the console, the console before the file and the default', () => {
  using scratch = scratchDirectory()
  const configFile = join(scratch.path, 'helix.config.json')
  writeFileSync(
    configFile,
    '{\n  "signUp": "invitation",\n  "auditRetentionDays": 10,\n  "signUpsPerHour": 6,\n  "ledgerRetentionDays": 50\n}',
  )
  const started = load({
    flags: { signUpsPerHour: '7' },
    environment: { HELIX_AUDIT_RETENTION_DAYS: '20' },
    configFile,
  })
  const values = { signUp: 'closed', auditRetentionDays: 30, signUpsPerHour: 8, organisationsPerAccount: 9 }
  const { config, origins, ignored } = applySaved(started, saved(values))
  expect(config).toMatchObject({
    signUpsPerHour: 7,
    auditRetentionDays: 20,
    signUp: 'closed',
    organisationsPerAccount: 9,
  })
  expect(config).toMatchObject({ ledgerRetentionDays: 50, replayRetentionHours: 24 })
  expect(origins).toMatchObject({
    signUpsPerHour: { source: 'flag', place: '--sign-ups-per-hour' },
    auditRetentionDays: { source: 'environment', place: 'HELIX_AUDIT_RETENTION_DAYS' },
    signUp: { source: 'console', place: null },
    ledgerRetentionDays: { source: 'file', place: `${configFile}:5:3` },
    replayRetentionHours: { source: 'default', place: null },
  })
  expect(ignored).toEqual(new Map())
})

test('a secret of the environment is not overruled, and no place contains it', () => {
  const started = load({
    environment: { HELIX_SMTP_URL: 'smtp://a:hunter2@mail.example', HELIX_MAIL_FROM: 'a@b.example' },
  })
  const { config, origins } = applySaved(started, saved({ smtpUrl: 'smtp://other.example' }))
  expect(config.smtpUrl).toBe('smtp://a:hunter2@mail.example')
  expect(JSON.stringify(origins)).not.toContain('hunter2')
})

test('a saved value that is invalid by now is ignored, with the sentence of the loader', () => {
  const { config, ignored } = applySaved(load(), saved({ signUp: 'maybe', ledgerRetentionDays: 50 }))
  expect(config).toMatchObject({ signUp: 'open', ledgerRetentionDays: 50 })
  expect([...ignored]).toEqual([['signUp', `'signUp': expected open or invitation or closed, not "maybe"`]])
})

test('the console keeps the audit log longer than the file says, never shorter', () => {
  using scratch = scratchDirectory()
  const configFile = join(scratch.path, 'helix.config.json')
  writeFileSync(configFile, '{ "auditRetentionDays": 90 }')
  const apply = (days: number) => applySaved(load({ configFile }), saved({ auditRetentionDays: days }))
  expect(apply(91).config.auditRetentionDays).toBe(91)
  expect(apply(90).ignored.size).toBe(0)
  const { config, ignored } = apply(89)
  expect(config.auditRetentionDays).toBe(90)
  expect(ignored.get('auditRetentionDays')).toMatch(/^'auditRetentionDays': expected at least 90/)
  expect(applySaved(load(), saved({ auditRetentionDays: 399 })).config.auditRetentionDays).toBe(400)
})

test('a saved value that conflicts with what the server was started with is ignored', () => {
  const { config, origins, ignored } = applySaved(load(), saved({ smtpUrl: 'smtp://mail.example' }))
  expect(config.smtpUrl).toBe(null)
  expect(origins.smtpUrl.source).toBe('default')
  expect([...ignored]).toEqual([['smtpUrl', 'HELIX_SMTP_URL requires HELIX_MAIL_FROM, the sender address for email']])
})

test('a live configuration follows the settings that may change at run time, and no others', () => {
  const { config } = load()
  const live = createLiveConfig(config)
  live.replace({ ...config, signUp: 'closed', port: 1 })
  expect(live.config.signUp).toBe('closed')
  expect(live.config.port).toBe(config.port)
  expect(structuredClone(live.config).signUp).toBe('closed')
  expect(live.started.signUp).toBe('open')
})
