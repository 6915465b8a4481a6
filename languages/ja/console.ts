import type { Words } from '../words.ts'
import { admin } from './console/admin.ts'
import { answer } from './console/answer.ts'
import { audit } from './console/audit.ts'
import { compare } from './console/compare.ts'
import { errors } from './console/errors.ts'
import { keys } from './console/keys.ts'
import { limits } from './console/limits.ts'
import { models } from './console/models.ts'
import { nodes } from './console/nodes.ts'
import { firstDay, notices } from './console/notices.ts'
import { overview } from './console/overview.ts'
import { playground } from './console/playground.ts'
import { prompts } from './console/prompts.ts'
import { requests } from './console/requests.ts'
import { server } from './console/server.ts'
import { settings } from './console/settings.ts'
import { shell } from './console/shell.ts'
import { signInMethods } from './console/sign-in-methods.ts'
import { team } from './console/team.ts'
import { upstreams } from './console/upstreams.ts'
import { usage } from './console/usage.ts'
import { webhooks } from './console/webhooks.ts'
import { welcome } from './console/welcome.ts'

/** The words of the console in Japanese: written, not translated. */
export const words: Words = {
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
  audit,
  models,
  nodes,
  overview,
  server,
  upstreams,
  webhooks,
  notices,
  firstDay,
}
