import { admin } from './en/admin.ts'
import { answer } from './en/answer.ts'
import { compare } from './en/compare.ts'
import { errors } from './en/errors.ts'
import { keys } from './en/keys.ts'
import { limits } from './en/limits.ts'
import { playground } from './en/playground.ts'
import { prompts } from './en/prompts.ts'
import { requests } from './en/requests.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signInMethods } from './en/sign-in-methods.ts'
import { team } from './en/team.ts'
import { usage } from './en/usage.ts'
import { welcome } from './en/welcome.ts'

/** The words of the app in English. A part for each page, in a file of its own. */
export const en = {
  shell,
  errors,
  answer,
  welcome,
  keys,
  limits,
  admin,
  playground,
  prompts,
  compare,
  settings,
  team,
  signInMethods,
  usage,
  requests,
} as const
