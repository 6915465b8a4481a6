import { faults } from './ja/faults.ts'
import { shell } from './ja/shell.ts'
import type { Words } from './words.ts'

/** The words of the app in Japanese: written, not translated. */
export const ja: Words = {
  shell,
  faults,
}
