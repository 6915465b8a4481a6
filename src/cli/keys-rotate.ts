import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { printSecret } from './print-secret.ts'
import { readDuration } from './read-duration.ts'

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Give an API key a new secret. It is shown this once.',
  positionals: 'KEY',
  options: {
    grace: {
      type: 'string',
      placeholder: 'TIME',
      text: 'How long the secret so far goes on working: 24h unless given, 30d at the most, 0 for not at all.',
    },
    ...jsonOption,
  },
  note: "KEY is the id of a key, or its name where no other has it; 'helix keys list' shows both.",
  async run({ config, options, positionals, terminal }) {
    const [key] = positionals
    if (key === undefined || positionals.length > 1) throw new UsageError("'helix keys rotate' takes one KEY")
    const graceMs = readGrace(options.grace ?? '24h')
    const rotated = await withControl(config, (control) => control.rotateKey(key, { graceMs }))
    const { previous_secret_until: until } = rotated
    const old = until === null ? 'The secret so far is over.' : `The secret so far works until ${until}.`
    printSecret({ terminal, options }, rotated, `Rotated key '${rotated.name}' (${rotated.id}). ${old}`)
    return 0
  },
}

const readGrace = (text: unknown): number => {
  const graceMs = typeof text === 'string' ? readDuration(text) : null
  if (graceMs === null) throw new UsageError('--grace takes a time such as 24h, 7d or 30m, or 0')
  return graceMs
}
