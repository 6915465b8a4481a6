import { randomBytes } from 'node:crypto'

/** As the Standard Webhooks specification writes secrets: 24 to 64 bytes in base64 after a prefix. */
const prefix = 'whsec_'
const secretBytes = 32

export const mintWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

export const secretKey = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64')
