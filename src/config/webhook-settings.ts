import { integer, list, type Setting } from './setting.ts'

/** Webhooks. */
export const webhookSettings = {
  webhookNetworks: list({
    default: [],
    text: 'IP addresses or CIDR ranges inside your network that webhooks may be sent to, also by plain HTTP, for example `10.0.0.0/8`; see docs/webhooks.md.',
    defaultText: 'only public addresses, with HTTPS',
  }),
  webhookRetentionDays: integer({
    editedIn: 'retention',
    default: 30,
    min: 3,
    max: 3650,
    text: 'How long events and the log of their deliveries are kept.',
  }),
} satisfies Record<string, Setting<unknown>>
