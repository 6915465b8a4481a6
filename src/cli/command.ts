import type { SettingOrigins } from '../config/setting-origin.ts'
import type { Config } from '../config/settings.ts'

/** Output streams of a command. Tests pass their own. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
}

export type OptionValue = string | boolean | undefined
type CommandOption = { type: 'string' | 'boolean'; text: string; placeholder?: string }

export type CommandInput = {
  config: Config
  /** Where each setting comes from. */
  origins: SettingOrigins
  /** The file of settings that was named; by default the one in the working directory. */
  configFile?: string | undefined
  options: Readonly<Record<string, OptionValue>>
  positionals: readonly string[]
  terminal: Terminal
}

export type Command = {
  /** `keys create` */
  name: string
  summary: string
  /** Arguments after the name: `ID`, `[MESSAGE]`. */
  positionals?: string
  options: Readonly<Record<string, CommandOption>>
  /** An extra line at the end of the help. */
  note?: string
  /** Resolves to the exit code: 0 for success, 1 for failure. */
  run(input: CommandInput): Promise<number>
}

export const jsonOption = { json: { type: 'boolean', text: 'Print the output as JSON.' } } as const

/** The command line is invalid. Exit code 2. */
export class UsageError extends Error {}

/** Splits `a,b` into its parts. Returns undefined if the option is absent. */
export const readListOption = (value: OptionValue): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : undefined

/** The digits of a whole number of at least 0; undefined for anything else, such as `0x10` and `1e3`, which JavaScript reads as numbers. */
export const readWhole = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
