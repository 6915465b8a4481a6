import { admin } from './console/admin.ts'
import { catalogue } from './console/catalogue.ts'
import { models } from './console/models.ts'
import { nodes } from './console/nodes.ts'
import { overview } from './console/overview.ts'
import { server } from './console/server.ts'
import { upstreams } from './console/upstreams.ts'
import { webhooks } from './console/webhooks.ts'

/** The words of the pages for administrators in English: only these pages load them. */
export const words = {
  admin,
  catalogue,
  models,
  nodes,
  overview,
  server,
  upstreams,
  webhooks,
} as const
