import type { MoveMark } from './store-tables.ts'

/** Throws, with advice for the operator, if the data was moved elsewhere or is not complete yet. */
export const refuseMoved = (mark: MoveMark | null): void => {
  if (mark === null) return
  if (mark.state === 'incoming')
    throw new Error(
      `the copy from ${mark.place} is not complete: run the same 'helix migrate-store' command again, which continues it`,
    )
  const day = new Date(mark.at).toISOString().slice(0, 10)
  throw new Error(
    `its data was moved to ${mark.place} on ${day}: use it there. To use this copy again, without anything that was written there, run 'helix migrate-store --reopen'`,
  )
}
