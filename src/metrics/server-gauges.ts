import { statfsSync } from 'node:fs'
import { commit, version } from '../base/version.ts'
import type { Models } from '../models/contract.ts'
import type { UpstreamDescription } from '../upstreams/describe-upstream.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import type { Family } from './family.ts'
import { createGauge, type Reading } from './gauge.ts'

export type ServerGaugesDependencies = {
  models: Pick<Models, 'list'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  ledger: Pick<Ledger, 'unwritten' | 'lagMs'>
  redis: { readonly isAway: boolean } | null
  /** The data directory. */
  directory: string
  /** When the last backup was written, in milliseconds since 1970, and how much of the ledger is in a file of this node. */
  ofFiles(): { readonly backedUpAt: number | null; readonly spoolBytes: number }
}

/** What the parts of the server say of themselves when they are asked. */
export const createServerGauges = (dependencies: ServerGaugesDependencies): Family[] => [
  createGauge({
    kind: 'info',
    name: 'helix_build',
    help: 'The version and commit of this server.',
    labels: ['version', 'commit'],
    read: () => [[[version, commit ?? ''], 1]],
  }),
  ...createModelGauges(dependencies),
  ...createUpstreamGauges(dependencies),
  ...createDependencyGauges(dependencies),
]

const modelStates = ['unloaded', 'loading', 'ready', 'failed', 'stopped'] as const

const createModelGauges = ({ models }: ServerGaugesDependencies): Family[] => {
  const each = (read: (pool: ReturnType<Models['list']>[number]) => number | null): Reading[] =>
    models.list().flatMap((pool): Reading[] => {
      const value = read(pool)
      return value === null ? [] : [[[pool.model.id], value]]
    })
  const gauge = (name: string, help: string, read: Parameters<typeof each>[0]): Family =>
    createGauge({ name, help, labels: ['model'], read: () => each(read) })
  return [
    gauge('helix_num_requests_running', 'Slots in use.', ({ queue }) => queue.running),
    gauge('helix_num_requests_waiting', 'Requests that wait for a slot.', ({ queue }) => queue.waiting),
    gauge('helix_slots', 'Requests that can run at the same time.', ({ slots }) => slots),
    gauge(
      'helix_model_memory_bytes',
      'Memory that was planned for a model that is loaded on this machine: weights, cache and buffers.',
      (pool) => {
        const { memory } = pool.status()
        return memory === null ? null : memory.weights + memory.cache + memory.buffers
      },
    ),
    gauge(
      'helix_engine_process_resident_memory_bytes',
      'Memory of the process that a model runs in.',
      (pool) => pool.status().process?.memoryBytes ?? null,
    ),
    gauge(
      'helix_kv_cache_usage_ratio',
      'Share of the KV cache of a model on this machine that has tokens, those kept for later prompts included.',
      (pool) => pool.status().process?.cacheUse ?? null,
    ),
    createGauge({
      name: 'helix_model_state',
      help: 'The state of a model: 1 for the one that it is in.',
      labels: ['model', 'state'],
      read: () => models.list().flatMap((pool) => oneOf(modelStates, pool.status().state, pool.model.id)),
    }),
  ]
}

const upstreamStates = ['active', 'draining', 'paused', 'failing'] as const

const createUpstreamGauges = ({ upstreams }: ServerGaugesDependencies): Family[] => {
  type Read = (upstream: UpstreamDescription) => number
  const gauge = (name: string, help: string, read: Read, kind: 'gauge' | 'counter' = 'gauge'): Family =>
    createGauge({
      ...{ name, help, kind, labels: ['upstream'] },
      read: () => upstreams.list().map((upstream): Reading => [[upstream.name], read(upstream)]),
    })
  return [
    createGauge({
      name: 'helix_upstream_state',
      help: 'The state of an upstream: 1 for the one that it is in.',
      labels: ['upstream', 'state'],
      read: () => upstreams.list().flatMap(({ name, state }) => oneOf(upstreamStates, state, name)),
    }),
    gauge('helix_upstream_requests_in_flight', 'Requests that an upstream is answering.', ({ inFlight }) => inFlight),
    gauge('helix_upstream_max_requests_in_flight', 'The most that it gets.', ({ maxInFlight }) => maxInFlight),
    gauge(
      'helix_upstream_learned_requests_in_flight',
      'How many it gets for now: fewer than the most while it refuses some or becomes slow.',
      ({ limit }) => limit,
    ),
    gauge(
      'helix_upstream_recent_requests',
      'Requests to an upstream in the last five minutes.',
      ({ recent }) => recent.requests,
    ),
    gauge(
      'helix_upstream_recent_errors',
      'Requests to an upstream in the last five minutes that it failed.',
      ({ recent }) => recent.errors,
    ),
    gauge('helix_upstream_requests', 'Requests to an upstream.', ({ total }) => total.requests, 'counter'),
    gauge('helix_upstream_errors', 'Requests that an upstream failed.', ({ total }) => total.errors, 'counter'),
  ]
}

const createDependencyGauges = (dependencies: ServerGaugesDependencies): Family[] => {
  const { ledger, redis, directory, ofFiles } = dependencies
  return [
    createGauge({
      name: 'helix_ledger_unwritten_records',
      help: 'Reservations and settlements that could not be written to the database at once, and are retried.',
      read: () => ledger.unwritten,
    }),
    createGauge({
      name: 'helix_ledger_lag_seconds',
      help: 'How long the oldest of these has been waiting to be written.',
      read: () => ledger.lagMs / 1000,
    }),
    createGauge({
      name: 'helix_ledger_spool_bytes',
      help: 'Records of the ledger that wait in a file of this node until the database can be reached.',
      read: () => ofFiles().spoolBytes,
    }),
    createGauge({
      name: 'helix_redis_up',
      help: '1 if Redis can be reached. Absent without a cluster.',
      read: () => (redis === null ? null : Number(!redis.isAway)),
    }),
    createGauge({
      name: 'helix_last_backup_timestamp_seconds',
      help: 'When the data was last backed up. Absent if it never was.',
      read() {
        const { backedUpAt } = ofFiles()
        return backedUpAt === null ? null : backedUpAt / 1000
      },
    }),
    createGauge({
      name: 'helix_data_directory_free_bytes',
      help: 'Free space on the disk of the data directory.',
      read: () => freeBytes(directory),
    }),
  ]
}

/** 1 for the value that applies, 0 for the others: a sum over time says how long each applied. */
const oneOf = (values: readonly string[], value: string, name: string): Reading[] =>
  values.map((possible) => [[name, possible], Number(possible === value)])

const freeBytes = (directory: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return null
  }
}
