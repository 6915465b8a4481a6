import type { ListedNode } from '../../nodes/node-lease.ts'
import type { UpstreamDescription } from '../../upstreams/describe-upstream.ts'
import { type Problem, problemKinds } from '../contract/overview.ts'

/** What the server knows about itself and its parts. */
export type ServerState = {
  now: number
  nodes: readonly ListedNode[]
  failedModels: readonly string[]
  upstreams: readonly Pick<UpstreamDescription, 'name' | 'state' | 'pauseReason' | 'nodes' | 'pausedNodes'>[]
  unwrittenRecords: number
  isRedisAway: boolean
  certificateEndsAt: number | null
  /** Null if nobody here can know. `maxAgeMs`: as the doctor has it. */
  backup: { lastAt: number | null; firstDataAt: number; maxAgeMs: number } | null
  diskFreeBytes: number | null
  /** Requests of today, and those of them that failed. */
  today: { requests: number; failed: number }
  isConfigChanged: boolean
}

const dayMs = 86_400_000
/** Heartbeats come every five seconds. */
const silentMs = 12_000
const certificateWarningMs = 14 * dayMs
const leastFreeBytes = 1_000_000_000
const fullBytes = 100_000_000
/** A share of fewer requests says nothing. */
const leastRequests = 20
const errorShare = 0.05
/** However many upstreams or nodes there are. */
const maxProblems = 100

export const isSilent = ({ seenMsAgo }: Pick<ListedNode, 'seenMsAgo'>): boolean => seenMsAgo >= silentMs

export const isFailing = ({ state }: Pick<UpstreamDescription, 'state'>): boolean =>
  state === 'paused' || state === 'failing'

/** What is wrong now, the worst first. Nothing of it is stored. */
export const listProblems = (state: ServerState): Problem[] =>
  [...ofDependencies(state), ...ofNodes(state), ...ofAnswers(state), ...ofFiles(state)]
    .sort((one, two) => order(one) - order(two))
    .slice(0, maxProblems)

const order = ({ level, kind }: Problem): number => (level === 'bad' ? 0 : 100) + problemKinds.indexOf(kind)

const warn = (kind: Problem['kind'], about: Partial<Problem> = {}): Problem => ({
  ...{ kind, level: 'warn', subject: null, at: null, figure: null },
  ...about,
})
const bad = (kind: Problem['kind'], about: Partial<Problem> = {}): Problem => warn(kind, { level: 'bad', ...about })

const ofDependencies = ({ unwrittenRecords, isRedisAway, isConfigChanged }: ServerState): Problem[] => [
  ...(unwrittenRecords > 0 ? [bad('ledger', { figure: unwrittenRecords })] : []),
  ...(isRedisAway ? [warn('redis')] : []),
  ...(isConfigChanged ? [warn('configuration')] : []),
]

const ofNodes = ({ now, nodes }: ServerState): Problem[] => {
  const versions = new Set(nodes.map(({ version }) => version)).size
  return [
    ...nodes
      .filter(isSilent)
      .map(({ name, seenMsAgo }) => bad('node', { subject: name, at: Math.max(0, now - seenMsAgo) })),
    ...nodes
      .filter(({ status }) => (status?.gpuFault ?? null) !== null)
      .map(({ name }) => warn('gpu', { subject: name })),
    ...(versions > 1 ? [warn('versions', { figure: versions })] : []),
  ]
}

const ofAnswers = ({ failedModels, upstreams, today }: ServerState): Problem[] => [
  ...failedModels.map((id) => bad('model', { subject: id })),
  ...upstreams
    .filter(isFailing)
    .map(({ name, pauseReason }) => warn(pauseReason === 'quota_exceeded' ? 'quota' : 'upstream', { subject: name })),
  ...(today.requests >= leastRequests && today.failed / today.requests >= errorShare
    ? [warn('errors', { figure: Math.round((today.failed / today.requests) * 100) })]
    : []),
]

const ofFiles = ({ now, certificateEndsAt, backup, diskFreeBytes }: ServerState): Problem[] => [
  ...(certificateEndsAt !== null && certificateEndsAt - now < certificateWarningMs
    ? [warn('certificate', { at: certificateEndsAt, level: certificateEndsAt <= now ? 'bad' : 'warn' })]
    : []),
  ...(backup !== null && now - (backup.lastAt ?? backup.firstDataAt) >= backup.maxAgeMs
    ? [warn('backup', { at: backup.lastAt })]
    : []),
  ...(diskFreeBytes !== null && diskFreeBytes < leastFreeBytes
    ? [warn('disk', { figure: diskFreeBytes, level: diskFreeBytes < fullBytes ? 'bad' : 'warn' })]
    : []),
]
