import { faults } from './ja/faults.ts'
import { playground } from './ja/playground.ts'
import { settings } from './ja/settings.ts'
import { shell } from './ja/shell.ts'
import type { Words } from './words.ts'

/** The words of the app in Japanese: written, not translated. */
export const ja: Words = {
  shell,
  faults,
  playground,
  settings,
}
