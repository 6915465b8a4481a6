import type { Config } from '../config/settings.ts'

/** Where a command speaks. Tests hand in their own. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
}

export type OptionValue = string | boolean | undefined
type CommandOption = { type: 'string' | 'boolean'; text: string; placeholder?: string }

export type CommandInput = {
  config: Config
  options: Readonly<Record<string, OptionValue>>
  positionals: readonly string[]
  terminal: Terminal
}

export type Command = {
  /** `keys create` */
  name: string
  summary: string
  /** What stands behind the name: `ID`, `[MESSAGE]`. */
  positionals?: string
  options: Readonly<Record<string, CommandOption>>
  /** A line of its own under the help. */
  note?: string
  /** Resolves to the exit code: 0 done, 1 failed. */
  run(input: CommandInput): Promise<number>
}

export const jsonOption = { json: { type: 'boolean', text: 'Print the output as JSON.' } } as const

/** The command line cannot be understood. Exit code 2. */
export class UsageError extends Error {}
