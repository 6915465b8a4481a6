import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { documentedBlock } from '../../test/harness/documented-block.ts'
import { signWebhook } from './sign-webhook.ts'
import { mintWebhookSecret } from './webhook-secret.ts'

const message = { id: 'evt_1', body: '{"type":"test","data":{"name":"鍵"}}' }

test('the specification’s own library accepts what we sign, with either secret during a rotation', () => {
  const [current, previous, other] = [mintWebhookSecret(), mintWebhookSecret(), mintWebhookSecret()]
  expect(current).toMatch(/^whsec_[\w+/]{43}=$/)
  // The library compares the time of a message with that of the system.
  const headers = signWebhook(message, [current, previous], Date.now())
  for (const secret of [current, previous])
    expect(new Webhook(secret).verify(message.body, headers)).toEqual({ type: 'test', data: { name: '鍵' } })
  expect(() => new Webhook(other).verify(message.body, headers)).toThrow('No matching signature found')
  expect(() => new Webhook(current).verify(`${message.body} `, headers)).toThrow('No matching signature found')
  const late = signWebhook(message, [current], Date.now() - 6 * 60_000)
  expect(() => new Webhook(current).verify(message.body, late)).toThrow('Message timestamp too old')
})

test('the sample of the documentation verifies what we sign', async () => {
  const code = documentedBlock('docs/webhooks.md', 'js')
  const { verify } = asSample(await import(`data:text/javascript,${encodeURIComponent(code)}`))
  const [secret, other, now] = [mintWebhookSecret(), mintWebhookSecret(), Date.UTC(2001, 10, 15)]
  const headers = signWebhook(message, [other, secret], now)
  expect(verify(secret, headers, message.body, now)).toBe(true)
  expect(verify(mintWebhookSecret(), headers, message.body, now)).toBe(false)
  expect(verify(secret, headers, `${message.body} `, now)).toBe(false)
  expect(verify(secret, headers, message.body, now + 301_000)).toBe(false)
})

type Verify = (secret: string, headers: Record<string, string>, body: string, nowMs: number) => boolean
/** What the sample exports. */
const asSample = (module: unknown) => module as { verify: Verify }
