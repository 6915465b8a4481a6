import type { NewKeyJson } from '../control/control-keys.ts'
import type { CommandInput } from './command.ts'

/** Prints only the secret to standard output, so that a script can capture it. The message goes to standard error. */
export const printSecret = (
  { terminal, options }: Pick<CommandInput, 'terminal' | 'options'>,
  made: NewKeyJson,
  line: string,
): void => {
  if (options.json === true) {
    terminal.out(`${JSON.stringify(made)}\n`)
    return
  }
  terminal.err(`${line} Save the secret now; it is shown only once:\n`)
  terminal.out(`${made.key}\n`)
}
