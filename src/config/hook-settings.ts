import { hookSecrets, hooks } from './hook-setting.ts'
import type { Setting } from './setting.ts'

/** What looks at requests and answers. */
export const hookSettings = {
  hooks: hooks({
    default: [],
    text: 'What looks at requests before they are answered and at answers before they are sent: patterns and secrets of known shapes to redact or block, and HTTP servers to ask; see docs/hooks.md.',
  }),
  hookSecret: hookSecrets({
    default: null,
    secret: true,
    text: 'Secret with which requests to HTTP hooks are signed, as webhooks are: `whsec_` and 24 to 64 bytes in Base64; two, separated by a comma, while it is replaced. See docs/hooks.md.',
  }),
} satisfies Record<string, Setting<unknown>>
