import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { printSecret } from './print-secret.ts'
import { readDuration } from './read-expiry.ts'

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Issue a new secret for an API key. The secret is shown only once.',
  positionals: 'KEY',
  options: {
    grace: {
      type: 'string',
      placeholder: 'TIME',
      text: 'How long the old secret keeps working: up to 30d, or 0 to stop it immediately (default: 24h).',
    },
    ...jsonOption,
  },
  note: "KEY is the ID of a key, or its name if it is unique. To see both, run 'helix keys list'.",
  async run({ config, options, positionals, terminal }) {
    const [key] = positionals
    if (key === undefined || positionals.length > 1) throw new UsageError("'helix keys rotate' requires one KEY")
    const graceMs = readGrace(options.grace ?? '24h')
    const rotated = await withControl(config, (control) =>
      control.rotateKey({ params: { subject: key }, body: { graceMs } }),
    )
    const { previous_secret_until: until } = rotated
    const old = until === null ? 'The old secret no longer works.' : `The old secret works until ${until}.`
    printSecret({ terminal, options }, rotated, `Rotated key '${rotated.name}' (${rotated.id}). ${old}`)
    return 0
  },
}

const readGrace = (text: unknown): number => {
  const graceMs = typeof text === 'string' ? readDuration(text) : null
  if (graceMs === null) throw new UsageError('--grace must be a duration such as 24h, 7d or 30m, or 0')
  return graceMs
}
