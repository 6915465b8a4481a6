import { expect, test } from 'vitest'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { readChanges, settingTexts, withoutSaved } from './setting-draft.ts'

const shown = (name: string, value: string | null, more: Partial<ShownSetting> = {}): ShownSetting => ({
  ...{ name, environmentName: name, value, isSet: value !== null, isSecret: false, default: null, isDefault: false },
  ...{ source: 'default', place: null, editedIn: 'signUp', isFixed: false, ignoredBecause: null, unsavedValue: null },
  ...more,
})

test('only fields that were changed are saved: figures as numbers, and empty ones as a return to what was before', () => {
  const settings = [
    shown('signUp', 'open'),
    shown('signUpsPerHour', '5'),
    shown('ledgerRetentionDays', '400'),
    shown('costPerDay', '0'),
    shown('smtpUrl', null, { isSecret: true, isSet: true }),
  ]
  const texts = settingTexts(settings)
  expect(readChanges(settings, texts)).toEqual({})
  const typed = { ...texts, signUp: 'closed', signUpsPerHour: ' 7 ', ledgerRetentionDays: '', costPerDay: '12.50' }
  expect(readChanges(settings, typed)).toEqual({
    signUp: 'closed',
    signUpsPerHour: 7,
    ledgerRetentionDays: null,
    costPerDay: 12.5,
  })
  expect(readChanges(settings, { ...texts, smtpUrl: 'smtp://a' })).toEqual({ smtpUrl: 'smtp://a' })
})

test('a field that cannot be changed here is never saved', () => {
  const settings = [shown('signUp', 'open', { isFixed: true })]
  expect(readChanges(settings, { signUp: 'closed' })).toEqual({})
})

test('what is typed while settings are being saved stays, and is compared with what was saved', () => {
  const sent = { signUpsPerHour: '7', ledgerRetentionDays: '90' }
  const drafts = {
    signUpsPerHour: { text: '7', was: '5' },
    ledgerRetentionDays: { text: '901', was: '400' },
    costPerDay: { text: '1', was: '0' },
  }
  const saved = [shown('signUpsPerHour', '7'), shown('ledgerRetentionDays', '90'), shown('costPerDay', '0')]
  expect(withoutSaved(drafts, Object.keys(sent), sent, saved)).toEqual({
    ledgerRetentionDays: { text: '901', was: '90' },
    costPerDay: { text: '1', was: '0' },
  })
})
