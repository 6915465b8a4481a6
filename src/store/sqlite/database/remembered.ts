import type { DatabaseSync } from 'node:sqlite'

export type OpenRequest = { sequence: number; party: number; model: string }

/** What the thread knows of the ledger without asking for it. */
type Remembered = { parties: Map<string, number>; open: Map<string, OpenRequest> }

const maxParties = 10_000
const memories = new WeakMap<DatabaseSync, Remembered>()

const rememberedOf = (db: DatabaseSync): Remembered => {
  let memory = memories.get(db)
  if (memory === undefined) {
    memory = { parties: new Map(), open: new Map() }
    memories.set(db, memory)
  }
  return memory
}

/** The number in the ledger of each organisation and key, by both names. */
export const rememberedParties = (db: DatabaseSync): Map<string, number> => {
  const { parties } = rememberedOf(db)
  if (parties.size > maxParties) parties.clear()
  return parties
}

/** By request id: those that were reserved here and are not settled yet. */
export const rememberedOpen = (db: DatabaseSync): Map<string, OpenRequest> => rememberedOf(db).open

/** To be called whenever a write is undone: what is remembered may be of rows that never came to be. */
export const forgetRemembered = (db: DatabaseSync): void => {
  memories.delete(db)
}
