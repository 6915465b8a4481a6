import { type Command, jsonOption } from './command.ts'
import { withControl } from './control-access.ts'

export const secretsRotate: Command = {
  name: 'secrets rotate',
  summary: 'Encrypt all secrets in the database with a new key, while servers run.',
  options: jsonOption,
  note: 'After an interruption, run it again: it continues. See docs/operate/secrets.md for clusters and for a key in the settings.',
  async run({ config, options, terminal }) {
    const rotated = await withControl(config, (control) => control.rotateSecrets())
    if (options.json === true) {
      terminal.out(`${JSON.stringify(rotated)}\n`)
      return 0
    }
    const { changed, unreadable } = rotated
    terminal.out(`Encrypted ${changed} ${changed === 1 ? 'secret' : 'secrets'} with the new key.\n`)
    if (unreadable > 0) terminal.out(`${unreadable} could be read with neither key, and are as they were.\n`)
    if (config.secretKey === null)
      terminal.out('The old key is no longer needed. Keep it only for backups from before.\n')
    else
      terminal.out(
        'The old key is no longer needed: set HELIX_SECRET_KEY to the new one, and remove HELIX_NEXT_SECRET_KEY. Keep the old one only for backups from before.\n',
      )
    return 0
  },
}
