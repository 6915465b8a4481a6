import { faults } from './en/faults.ts'
import { shell } from './en/shell.ts'

/** The words of the app in English. A part for each page, in a file of its own. */
export const en = {
  shell,
  faults,
} as const
