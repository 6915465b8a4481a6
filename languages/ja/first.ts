import type { FirstWords } from '../words.ts'
import { answer } from './console/answer.ts'
import { compare } from './console/compare.ts'
import { errors } from './console/errors.ts'
import { history } from './console/history.ts'
import { limits } from './console/limits.ts'
import { firstDay, notices } from './console/notices.ts'
import { playground } from './console/playground.ts'
import { prompts } from './console/prompts.ts'
import { shell } from './console/shell.ts'

/** The words in Japanese that the frame of the console and the playground show. */
export const words: FirstWords = {
  shell,
  errors,
  answer,
  limits,
  playground,
  prompts,
  history,
  compare,
  notices,
  firstDay,
}
