import { createSubject, isIdle, type Subject } from './subject.ts'

/** Everybody who is counted, by id. Whoever was quiet for a minute is dropped when there are many. */
export type Subjects = {
  of(id: string): Subject
  /** To be called where nobody holds a subject that counts nothing yet. */
  sweep(nowMs: number): void
  readonly size: number
}

export const createSubjects = (sweepAbove = 1_000): Subjects => {
  const byId = new Map<string, Subject>()
  let nextSweep = sweepAbove
  return {
    of(id) {
      const known = byId.get(id)
      if (known !== undefined) return known
      const made = createSubject()
      byId.set(id, made)
      return made
    },
    sweep(nowMs) {
      if (byId.size <= nextSweep) return
      for (const [id, subject] of byId) if (isIdle(subject, nowMs)) byId.delete(id)
      // Only when there are twice as many is it worth looking at all of them again.
      nextSweep = Math.max(sweepAbove, byId.size * 2)
    },
    get size() {
      return byId.size
    },
  }
}
