import { admin } from './ja/admin.ts'
import { answer } from './ja/answer.ts'
import { audit } from './ja/audit.ts'
import { compare } from './ja/compare.ts'
import { faults } from './ja/faults.ts'
import { keys } from './ja/keys.ts'
import { limits } from './ja/limits.ts'
import { playground } from './ja/playground.ts'
import { requests } from './ja/requests.ts'
import { server } from './ja/server.ts'
import { settings } from './ja/settings.ts'
import { shell } from './ja/shell.ts'
import { team } from './ja/team.ts'
import { usage } from './ja/usage.ts'
import { ways } from './ja/ways.ts'
import { welcome } from './ja/welcome.ts'
import type { Words } from './words.ts'

/** The words of the app in Japanese: written, not translated. */
export const ja: Words = {
  shell,
  faults,
  answer,
  welcome,
  keys,
  limits,
  admin,
  server,
  playground,
  compare,
  settings,
  team,
  audit,
  ways,
  usage,
  requests,
}
