import { expect, test } from 'vitest'
import { words as en } from '../../../../languages/en/console.ts'
import { language } from '../../../../languages/en/language.ts'
import { bytesText, moneyText } from '../../figures.ts'
import type { AuditEvent } from './audit-query.ts'
import { actorText, detailText, targetText } from './event-words.ts'

const event: AuditEvent = {
  id: '1.1',
  at: 0,
  organisationId: 'org_1',
  action: 'member.role_changed',
  actor: { kind: 'account', id: 'usr_1', name: 'anna@example.com', address: '192.0.2.1' },
  target: { kind: 'account', id: 'usr_2', name: 'ben@example.com' },
  details: { from: 'member', to: 'viewer' },
}

const figures = {
  money: (micros: number): string => moneyText(micros, 'EUR', language),
  bytes: (count: number): string => bytesText(count, language),
}

test('people are named by their email, and deleted ones not at all', () => {
  expect(actorText(event, en)).toBe('anna@example.com')
  expect(targetText(event, en)).toBe('ben@example.com')
  expect(actorText({ ...event, actor: { ...event.actor, name: null } }, en)).toBe('Deleted account')
})

test('somebody who changed themselves is named once', () => {
  expect(targetText({ ...event, target: { kind: 'account', id: 'usr_1', name: 'anna@example.com' } }, en)).toBe('')
})

test('roles are given in words, other details by name', () => {
  expect(detailText(event, en, figures)).toBe('Member → Viewer')
  const details = {
    tokensPerDay: 1000,
    costPerDayMicros: 2_500_000,
    models: null,
    byMail: true,
    revokeKeys: false,
    invitation: 'inv_1',
    aliases: '',
  }
  expect(detailText({ ...event, details }, en, figures)).toBe(
    'tokens per day 1000, cost per day €2.50, models none, by mail, aliases none',
  )
})

test('a grace period is given in days or hours, not in milliseconds', () => {
  const text = (graceMs: number) => detailText({ ...event, details: { graceMs } }, en, figures)
  expect(text(86_400_000)).toBe('old secret valid for 1 day')
  expect(text(7_200_000)).toBe('old secret valid for 2 hours')
  expect(text(90_000)).toBe('old secret valid for 90 seconds')
  expect(text(0)).toBe('old secret valid for 0 seconds')
})

test('values of settings are shown as in the file, and a mail that failed with its reason', () => {
  const target = { kind: 'setting', id: 'signUp', name: 'signUp' } as const
  const text = (details: AuditEvent['details']) => detailText({ ...event, target, details }, en, figures)
  expect(text({ from: 'closed', to: 'invitation' })).toBe('closed → invitation')
  expect(text({ from: null, to: 'secret' })).toBe('none → secret')
  expect(text({ host: 'mail.example:25', problem: 'login_refused' })).toBe('via mail.example:25, failed: login refused')
})

test('a model has the address that it was downloaded from, and an upload its size', () => {
  const target = { kind: 'model', id: null, name: 'tiny' } as const
  const text = (details: AuditEvent['details']) => detailText({ ...event, target, details }, en, figures)
  expect(text({ source: 'https://hub.example/tiny.gguf' })).toBe('from https://hub.example/tiny.gguf')
  expect(text({ bytes: 157_504 }).replace('\u00a0', ' ')).toBe('158 KB')
})
