import type { LanguageCode } from '../../languages/language.ts'
import { type MailMessage, writeEventMail } from '../accounts/email/mail-messages.ts'
import { isRecord } from '../base/is-record.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { WebhookEvent } from '../store/webhook-contract.ts'
import { allEventTypes, type EventType, testType } from './event-types.ts'

type EventFacts = { name: string; value: string }

/** What a mail says of each type: what it is about, and a figure or time. */
const facts: Record<EventType | typeof testType, (read: (name: string) => string) => EventFacts> = {
  'budget.reached': (read) => ({ name: read('key_name'), value: read('percent') }),
  'key.expiring': (read) => ({ name: read('key_name'), value: timeText(read('expires_at')) }),
  'sign_in.new_place': (read) => ({ name: read('email'), value: '' }),
  'engine.down': (read) => ({ name: read('model'), value: read('node') }),
  'engine.recovered': (read) => ({ name: read('model'), value: read('node') }),
  'upstream.recovered': (read) => ({ name: read('upstream'), value: '' }),
  'upstream.down': (read) => ({ name: read('upstream'), value: read('reason') }),
  'node.lost': (read) => ({ name: read('node'), value: '' }),
  'certificate.expiring': (read) => ({ name: read('node'), value: timeText(read('ends_at')) }),
  'disk.low': (read) => ({ name: read('node'), value: `${(Number(read('free_bytes')) / 1e9).toFixed(1)} GB` }),
  'backup.overdue': (read) => ({ name: '', value: timeText(read('last_backup_at')) }),
  'clock.skewed': (read) => ({ name: read('node'), value: `${(Number(read('skew_ms')) / 1000).toFixed(1)} s` }),
  [testType]: () => ({ name: '', value: '' }),
}

const mailedTypes: readonly (EventType | typeof testType)[] = [...allEventTypes, testType]

type MailContext = { language: LanguageCode; organisationName: string | null; url: string }

/** Null for a type that this version does not know. */
export const composeEventMail = (
  { type, data }: Pick<WebhookEvent, 'type' | 'data'>,
  { language, organisationName, url }: MailContext,
): MailMessage | null => {
  const known = mailedTypes.find((one) => one === type)
  if (known === undefined) return null
  const values = parseJsonText(data)
  const read = (name: string): string => (isRecord(values) ? String(values[name] ?? '') : '')
  return writeEventMail(language, { type: known, organisationName, url, ...facts[known](read) })
}

/** The same in every language and time zone. */
const timeText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`
