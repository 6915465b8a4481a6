import { admin } from './ja/admin.ts'
import { answer } from './ja/answer.ts'
import { compare } from './ja/compare.ts'
import { errors } from './ja/errors.ts'
import { keys } from './ja/keys.ts'
import { limits } from './ja/limits.ts'
import { playground } from './ja/playground.ts'
import { prompts } from './ja/prompts.ts'
import { requests } from './ja/requests.ts'
import { settings } from './ja/settings.ts'
import { shell } from './ja/shell.ts'
import { signInMethods } from './ja/sign-in-methods.ts'
import { team } from './ja/team.ts'
import { usage } from './ja/usage.ts'
import { welcome } from './ja/welcome.ts'
import type { Words } from './words.ts'

/** The words of the app in Japanese: written, not translated. */
export const ja: Words = {
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
}
