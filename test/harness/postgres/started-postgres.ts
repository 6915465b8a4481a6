import { inject } from 'vitest'

export type StartedPostgres = { url: string; template: string }

/** The PostgreSQL of this run, which starts with the first call; null if there is none. */
export const startedPostgres = async (): Promise<StartedPostgres | null> => {
  const response = await fetch(inject('postgresStarter'))
  if (!response.ok) throw new Error(await response.text())
  return asStarted(await response.json())
}

/** True because only the global set-up answers there. */
const asStarted = (answer: unknown): StartedPostgres | null => answer as StartedPostgres | null
