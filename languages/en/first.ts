import { answer } from './console/answer.ts'
import { compare } from './console/compare.ts'
import { errors } from './console/errors.ts'
import { history } from './console/history.ts'
import { limits } from './console/limits.ts'
import { firstDay, notices } from './console/notices.ts'
import { playground } from './console/playground.ts'
import { prompts } from './console/prompts.ts'
import { shell } from './console/shell.ts'

/** The words of the console that its frame and the playground show; other pages load those of `console.ts`. */
export const words = {
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
} as const
