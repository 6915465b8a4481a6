import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
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
