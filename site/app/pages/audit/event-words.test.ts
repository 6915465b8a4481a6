import { expect, test } from 'vitest'
import { words as en } from '../../../../languages/en/console.ts'
import { language } from '../../../../languages/en/language.ts'
import { moneyText } from '../../figures.ts'
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

const money = (micros: number): string => moneyText(micros, 'EUR', language)

test('people are named by their email, and deleted ones not at all', () => {
  expect(actorText(event, en)).toBe('anna@example.com')
  expect(targetText(event, en)).toBe('ben@example.com')
  expect(actorText({ ...event, actor: { ...event.actor, name: null } }, en)).toBe('Deleted account')
})

test('somebody who changed themselves is named once', () => {
  expect(targetText({ ...event, target: { kind: 'account', id: 'usr_1', name: 'anna@example.com' } }, en)).toBe('')
})

test('roles are given in words, other details by name', () => {
  expect(detailText(event, en, money)).toBe('Member → Viewer')
  const details = {
    tokensPerDay: 1000,
    costPerDayMicros: 2_500_000,
    models: null,
    byMail: true,
    revokeKeys: false,
    invitation: 'inv_1',
    aliases: '',
  }
  expect(detailText({ ...event, details }, en, money)).toBe(
    'tokens per day 1000, cost per day €2.50, models none, by mail, aliases none',
  )
})

test('a grace period is given in days or hours, not in milliseconds', () => {
  const text = (graceMs: number) => detailText({ ...event, details: { graceMs } }, en, money)
  expect(text(86_400_000)).toBe('old secret valid for 1 day')
  expect(text(7_200_000)).toBe('old secret valid for 2 hours')
  expect(text(90_000)).toBe('old secret valid for 90 seconds')
  expect(text(0)).toBe('old secret valid for 0 seconds')
})
