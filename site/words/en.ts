import { faults } from './en/faults.ts'
import { playground } from './en/playground.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'

/** The words of the app in English. A part for each page, in a file of its own. */
export const en = {
  shell,
  faults,
  playground,
  settings,
} as const
