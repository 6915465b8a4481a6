import type { ShownSecret } from '../../components/secret.tsx'

export const webhookSecret = (secret: string): ShownSecret => ({
  key: secret,
  prefix: 'whsec_',
  lastFour: secret.slice(-4),
})
