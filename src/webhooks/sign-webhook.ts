import { createHmac } from 'node:crypto'
import { secretKey } from './webhook-secret.ts'

export type WebhookMessage = { id: string; body: string }

/**
 * The headers of the Standard Webhooks specification. The id is that of the event, the same at every attempt; the time is that of
 * the attempt. There is a signature for each secret that counts, the newest first.
 */
export const signWebhook = (
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> => {
  const timestamp = String(Math.floor(nowMs / 1000))
  const sign = (secret: string): string =>
    `v1,${createHmac('sha256', secretKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
