import { choice, integer, keyPrefix, type Setting, text } from './setting.ts'
import { httpUrl, redisUrls } from './url-setting.ts'

/** What the nodes of a cluster share, and `helix engine`. */
export const clusterSettings = {
  nodeName: text({
    default: null,
    defaultText: 'the host name',
    text: 'Name of this server on the Nodes page, in `helix nodes` and in the log.',
  }),
  redis: redisUrls({
    default: null,
    secret: true,
    text: 'Redis or Valkey (7 or newer) that keeps the limits of all nodes of a cluster, for example `rediss://helix:password@redis.example.com:6379`; several addresses, separated by commas, are nodes of a Redis cluster. Requires `store`.',
  }),
  redisPrefix: keyPrefix({
    default: 'helix:',
    text: 'Prefix of all keys and channels in Redis. Clusters that share a Redis need different prefixes; all nodes of a cluster need the same one.',
  }),
  redisTimeoutMs: integer({
    default: 1_000,
    min: 50,
    max: 60_000,
    text: 'Maximum time for one command in Redis. If it takes longer, Redis counts as away until it answers again.',
  }),
  limitsWithoutRedis: choice(['share', 'closed'], {
    default: 'share',
    text: 'While Redis is away, `share` lets each node admit its share of the limits per minute and in flight, and `closed` refuses requests that have such limits. Requests with a budget are refused in both cases.',
  }),
  engineNodeHost: text({ default: '127.0.0.1', text: 'Address that `helix engine` listens on.' }),
  engineNodePort: integer({
    default: 8443,
    min: 0,
    max: 65_535,
    text: 'Port that `helix engine` listens on; 0 selects a free port.',
  }),
  engineNodeUrl: httpUrl({
    default: null,
    defaultText: '`engineNodeHost` and `engineNodePort`',
    text: 'Address by which the servers of the cluster reach this `helix engine`, for example `https://10.0.0.7:8443`; required if it listens on all addresses.',
  }),
} satisfies Record<string, Setting<unknown>>
