import type { KeyJson } from '../control/key-json.ts'
import type { CommandInput } from './command.ts'

/** The secret stands alone on standard output, so that it can be taken into a variable; what is said about it does not. */
export const printSecret = (
  { terminal, options }: Pick<CommandInput, 'terminal' | 'options'>,
  made: KeyJson & { key: string },
  line: string,
): void => {
  if (options.json === true) {
    terminal.out(`${JSON.stringify(made)}\n`)
    return
  }
  terminal.err(`${line} Save the secret now; it is shown only once:\n`)
  terminal.out(`${made.key}\n`)
}
