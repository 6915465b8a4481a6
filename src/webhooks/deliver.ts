import type { Mailer } from '../accounts/email/mailer.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import type { Clock } from '../base/clock.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { DueDelivery, EndpointRecord, WebhookEvent } from '../store/webhook-contract.ts'
import type { Deliver } from './delivery-worker.ts'
import { composeEventMail } from './event-mail.ts'
import type { AttemptOutcome } from './next-attempt.ts'
import { postWebhook } from './post-webhook.ts'
import { signWebhook } from './sign-webhook.ts'
import type { TargetGuard } from './target-guard.ts'

type DeliverDependencies = {
  seal: Pick<Seal, 'open'>
  guard: TargetGuard
  /** Null if no mail is configured. */
  findMailer(): Pick<Mailer, 'trySend'> | null
  siteUrl(): string
  clock: Clock
}

/** Sends an event to its endpoint: to a URL, signed, or by mail. */
export const createDeliver = ({ seal, guard, findMailer, siteUrl, clock }: DeliverDependencies): Deliver => {
  const post = (delivery: DueDelivery, signal: AbortSignal): Promise<AttemptOutcome> => {
    const secrets = openSecrets(delivery.endpoint, seal, clock.now())
    if (secrets === null || delivery.endpoint.url === null)
      return Promise.resolve({ status: null, error: 'secret_unreadable' })
    const message = { id: delivery.event.id, body: writeBody(delivery.event) }
    const headers = signWebhook(message, secrets, clock.now())
    return postWebhook({ url: delivery.endpoint.url, headers, body: message.body, guard, clock, signal })
  }
  const mail = async ({ event, recipient, organisationName }: DueDelivery): Promise<AttemptOutcome> => {
    const mailer = findMailer()
    if (mailer === null || recipient === null) return { status: null, error: 'mail_not_configured' }
    const url = siteUrl() + (event.organisationId === null ? '/admin/webhooks' : '/webhooks')
    const message = composeEventMail(event, { language: recipient.language, organisationName, url })
    const isSent = message !== null && (await mailer.trySend(recipient.email, message))
    return { status: null, error: isSent ? null : 'mail_failed' }
  }
  return (delivery, signal) => (delivery.endpoint.channel === 'mail' ? mail(delivery) : post(delivery, signal))
}

/** The same bytes at every attempt. */
const writeBody = ({ type, createdAt, data }: WebhookEvent): string =>
  JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data: parseJsonText(data) })

/** The current one first; the previous one during its grace period. Null: they were encrypted with another key. */
const openSecrets = (endpoint: EndpointRecord, seal: Pick<Seal, 'open'>, now: number): string[] | null => {
  const { id, sealedSecret, sealedPrevious, previousUntil } = endpoint
  const open = (sealed: string): string | null => seal.open(sealed, sealedContexts.webhook(id))?.toString() ?? null
  const current = sealedSecret === null ? null : open(sealedSecret)
  if (current === null) return null
  const isInGrace = sealedPrevious !== null && previousUntil !== null && now < previousUntil
  const previous = isInGrace ? open(sealedPrevious) : null
  return previous === null ? [current] : [current, previous]
}
