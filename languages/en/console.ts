import { answer } from './console/answer.ts'
import { audit } from './console/audit.ts'
import { compare } from './console/compare.ts'
import { errors } from './console/errors.ts'
import { history } from './console/history.ts'
import { home } from './console/home.ts'
import { keys } from './console/keys.ts'
import { limits } from './console/limits.ts'
import { firstDay, notices } from './console/notices.ts'
import { playground } from './console/playground.ts'
import { prompts } from './console/prompts.ts'
import { requests } from './console/requests.ts'
import { settings } from './console/settings.ts'
import { shell } from './console/shell.ts'
import { signInMethods } from './console/sign-in-methods.ts'
import { team } from './console/team.ts'
import { usage } from './console/usage.ts'
import { welcome } from './console/welcome.ts'

/** The words of the console in English. A part for each page, in a file of its own. */
export const words = {
  shell,
  errors,
  answer,
  welcome,
  home,
  keys,
  limits,
  playground,
  prompts,
  history,
  compare,
  settings,
  team,
  signInMethods,
  usage,
  requests,
  audit,
  notices,
  firstDay,
} as const
