import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask, type PeriodicTask } from '../base/periodic-task.ts'
import type { AuditRecords, NumberedEvent } from '../store/audit-contract.ts'

/** Where events are copied to. Resolves once they are there; those that were not may come again. */
export type AuditSink = (events: readonly NumberedEvent[]) => Promise<void>

type AuditExportOptions = {
  /** For the log: `file` or `syslog`. */
  target: string
  records: Pick<AuditRecords, 'since'>
  sink: AuditSink
  /** Remembers how far it came, also after a restart. */
  positionPath: string
  clock: Clock
  log: Log
}

const lookEveryMs = 5_000
const batchEvents = 500
/** In one pass: after a long outage the rest follows in later ones. */
const maxBatches = 20
/** A number that is missing for so long was rolled back. */
const lateMs = 60_000

/**
 * Copies the audit log as it grows, each event at least once. Events are read from the store and not while they are recorded, so
 * nothing is missing after a crash or while the target is away.
 */
export const openAuditExport = (options: AuditExportOptions): PeriodicTask => {
  const { target, clock, log } = options
  const progress = createProgress(options)
  let isFailing = false
  const pass = async (isClosed: () => boolean): Promise<void> => {
    try {
      for (let batch = 0; batch < maxBatches && !isClosed(); batch += 1) if (!(await progress.next())) break
      if (isFailing) log.info('audit_export_resumed', { target })
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error('audit_not_exported', { target, cause: errorText(error) })
      isFailing = true
    }
  }
  return openPeriodicTask(pass, clock, lookEveryMs)
}

const createProgress = ({ records, sink, positionPath, clock }: AuditExportOptions) => {
  /** All up to this number are done; null until it was read. */
  let position: number | null = null
  /** Those above it that are done too. */
  const done = new Set<number>()
  let gapSinceMs: number | null = null

  const advance = (from: number, last: number): number => {
    let at = from
    const follow = (): void => {
      while (done.delete(at + 1)) at += 1
    }
    follow()
    if (at === last) gapSinceMs = null
    else if (gapSinceMs === null || at > from) gapSinceMs = clock.monotonicMs()
    else if (clock.monotonicMs() - gapSinceMs >= lateMs) {
      at = Math.min(...done) - 1
      gapSinceMs = null
      follow()
    }
    return at
  }
  return {
    /** Copies the next events. False if there are no more now. */
    async next(): Promise<boolean> {
      position ??= await readPosition(positionPath)
      const events = await records.since(position, batchEvents)
      const fresh = events.filter(({ sequence }) => !done.has(sequence))
      if (fresh.length > 0) await sink(fresh)
      // The first start begins with the oldest event that was not deleted.
      const [first] = events
      if (position === 0 && first !== undefined && done.size === 0) position = first.sequence - 1
      for (const { sequence } of fresh) done.add(sequence)
      const reached = advance(position, events.at(-1)?.sequence ?? position)
      if (reached !== position) await writePosition(positionPath, reached)
      position = reached
      return events.length === batchEvents && fresh.length > 0
    },
  }
}

const readPosition = async (path: string): Promise<number> => {
  const text = await readFile(path, 'utf8').catch(() => '')
  const position = Number.parseInt(text, 10)
  return Number.isSafeInteger(position) && position > 0 ? position : 0
}

/** By renaming, so that a crash leaves the old one or the new one. */
const writePosition = async (path: string, position: number): Promise<void> => {
  await writeFile(`${path}.new`, `${position}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
