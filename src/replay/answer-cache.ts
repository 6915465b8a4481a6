import { createHash } from 'node:crypto'
import { createByteBudget } from '../base/byte-budget.ts'
import type { Clock } from '../base/clock.ts'
import { isRecord } from '../base/is-record.ts'
import { errorText, type Log } from '../base/log.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { CacheRecords } from '../store/cache-contract.ts'

/** What is known of a cached answer besides its text. */
type CachedFacts = {
  /** The id of the answer, which is replaced when it is sent again. */
  answerId: string
  promptTokens: number
  /** Those that the model had in its cache, which cost less. Answers of earlier versions do not have it. */
  cachedTokens?: number
  completionTokens: number
  reasoningTokens: number
  isEstimated: boolean
  finishReason: string
  /** How many of its events are sent once it is settled; 0 if it is a document. */
  lastEvents: number
}

export type CachedAnswer = {
  /** The request that it was generated for. */
  requestId: string
  facts: CachedFacts
  /** The data of each event, or one document. */
  events: readonly string[]
}

type CacheName = { organisationId: string; keyHash: Uint8Array }

export interface AnswerCache {
  find(name: CacheName): Promise<CachedAnswer | null>
  /** Collects an answer while it is sent. */
  collect(organisationId: string): CollectedAnswer
  /** Stores a complete answer; never rejects. One that is too long, or is stored already, is left out. */
  store(name: CacheName, answer: CachedAnswer): Promise<void>
  close(): Promise<void>
}

/** The events of an answer that may be stored, within a bound. */
export interface CollectedAnswer {
  add(data: string): void
  /** Null if there was too much of it. */
  take(): string[] | null
  close(): void
}

type AnswerCacheOptions = {
  records: CacheRecords
  /** It may change at any time. */
  retentionHours(): number
  limitBytes: number
  answerLimitBytes: number
  clock: Clock
  log: Log
}

const hourMs = 3_600_000
const sweepEveryMs = 3_333_000
/** For answers that are being sent and may be stored. */
const collectedLimitBytes = 67_108_864
/** Once it is full, room is made for some more. */
const roomShare = 0.9
const maxRemovals = 1000

/**
 * Answers that are sent again to the same request of the same organisation. Bounded in age and bytes: beyond the limit the
 * oldest of the organisation with the most are removed. A damaged or shortened entry is never returned: its checksum differs.
 */
export const openAnswerCache = ({
  records,
  retentionHours,
  limitBytes,
  answerLimitBytes,
  clock,
  log,
}: AnswerCacheOptions): AnswerCache => {
  const collected = createByteBudget(collectedLimitBytes)
  let storedBytes = 0
  let isClosed = false
  let work = Promise.resolve()
  let cancel = (): void => {}

  /** Without the cache, requests are executed. */
  const warn = (error: unknown): void => log.warn('answer_cache_failed', { cause: errorText(error) })
  /** Counts what other servers have stored too. */
  const count = async (): Promise<ReadonlyMap<string, number>> => {
    const byOrganisation = await records.bytes()
    storedBytes = [...byOrganisation.values()].reduce((sum, bytes) => sum + bytes, 0)
    return byOrganisation
  }
  const makeRoom = async (): Promise<void> => {
    for (let removals = 0; removals < maxRemovals && !isClosed; removals += 1) {
      const [largest] = [...(await count())].sort(([, one], [, other]) => other - one)
      if (storedBytes <= limitBytes * roomShare || largest === undefined) return
      if ((await records.removeOldest(largest[0])) === 0) return
    }
  }
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    work = work.then(task).catch(warn)
    return work
  }
  const removeExpired = async (): Promise<void> => {
    const now = clock.now()
    for (let removals = 0; removals < maxRemovals && !isClosed; removals += 1)
      if ((await records.removeExpired(now)) === 0) break
    await count()
    if (storedBytes > limitBytes) await makeRoom()
  }
  const sweep = (): void => {
    cancel = clock.after(sweepEveryMs, sweep)
    void inTurn(removeExpired)
  }
  sweep()

  return {
    async find({ organisationId, keyHash }) {
      const record = await records.find(organisationId, keyHash, clock.now()).catch(warn)
      if (record === undefined || record === null) return null
      const { requestId, facts, content } = record
      const read = Buffer.compare(record.checksum, checksumOf(facts, content)) === 0 ? readFacts(facts) : null
      if (read !== null) return { requestId, facts: read, events: content.split('\n') }
      log.warn('answer_cache_damaged', { requestId })
      void inTurn(() => records.remove(organisationId, keyHash))
      return null
    },
    collect(organisationId) {
      const lease = collected.lease(organisationId, 0)
      let events: string[] | null = lease === null ? null : []
      let bytes = 0
      return {
        add(data) {
          if (events === null) return
          bytes += Buffer.byteLength(data) + 1
          events.push(data)
          if (bytes > answerLimitBytes || lease?.resize(bytes) !== true) events = null
        },
        take: () => events,
        close: () => lease?.close(),
      }
    },
    store: ({ organisationId, keyHash }, { requestId, facts: known, events }) =>
      inTurn(async () => {
        const facts = JSON.stringify(known)
        const content = events.join('\n')
        const bytes = Buffer.byteLength(facts) + Buffer.byteLength(content)
        if (isClosed || bytes > limitBytes) return
        const createdAt = clock.now()
        const expiresAt = createdAt + retentionHours() * hourMs
        const record = { organisationId, keyHash, requestId, checksum: checksumOf(facts, content), facts, content }
        await records.insert({ ...record, createdAt, expiresAt })
        storedBytes += bytes
        if (storedBytes > limitBytes) await makeRoom()
      }),
    async close() {
      isClosed = true
      cancel()
      await work
    },
  }
}

const checksumOf = (facts: string, content: string): Uint8Array =>
  createHash('sha256').update(facts).update('\n').update(content).digest()

/** Null if another version wrote something else. */
const readFacts = (text: string): CachedFacts | null => {
  const facts = parseJsonText(text)
  return isRecord(facts) && typeof facts.answerId === 'string' && typeof facts.lastEvents === 'number'
    ? asFacts(facts)
    : null
}

/** True because the checksum covers what `store` wrote. */
const asFacts = (facts: object): CachedFacts => facts as CachedFacts
