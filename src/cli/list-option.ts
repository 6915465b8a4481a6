import type { OptionValue } from './command.ts'

/** Splits `a,b` into its parts. Returns undefined if the option is absent. */
export const readListOption = (value: OptionValue): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : undefined
