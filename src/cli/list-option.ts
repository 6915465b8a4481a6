import type { OptionValue } from './command.ts'

/** `a,b` as its parts; undefined where the option was not given. */
export const readListOption = (value: OptionValue): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : undefined
