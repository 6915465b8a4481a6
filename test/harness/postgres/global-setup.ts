import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts'
import { createManualClock } from '../manual-clock.ts'
import { findPostgres } from './find-postgres.ts'
import { databaseUrl, execSql } from './scratch-database.ts'
import { type PostgresServer, startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts PostgreSQL when it is first asked for, and answers with its address and the database to copy. */
    postgresStarter: string
  }
}

/** One PostgreSQL for all files of a run, and none for a run that needs none. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<StartedPostgres | null> | null = null
  const starter = createServer((_, response) => {
    started ??= start()
    started.then(
      (server) => response.end(JSON.stringify(server && { url: server.url, template: server.template })),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  const address = starter.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on a port')
  provide('postgresStarter', `http://127.0.0.1:${address.port}`)
  return async () => {
    starter.closeAllConnections()
    starter.close()
    await (await started?.catch(() => null))?.close()
  }
}

type StartedPostgres = PostgresServer & { template: string }

const start = async (): Promise<StartedPostgres | null> => {
  const server = await findOrStart()
  if (server === null) return null
  const template = `helix_test_${process.pid}`
  try {
    await execSql(server.url, `CREATE DATABASE ${template}`)
    const store = await openPostgresStore({ url: databaseUrl(server.url, template), clock: createManualClock() })
    await store.close()
    // The next store creates its own, as on an empty database.
    await execSql(databaseUrl(server.url, template), 'DELETE FROM organisations')
  } catch (error) {
    await server.close()
    throw error
  }
  return {
    ...{ url: server.url, template },
    async close() {
      await execSql(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
      await server.close()
    },
  }
}

const findOrStart = async (): Promise<PostgresServer | null> => {
  const { HELIX_TEST_POSTGRES: url, STORE_TESTS, HELIX_TEST_DATES } = process.env
  // What the date changes is tested with SQLite; PostgreSQL itself would run with a moved clock.
  if (HELIX_TEST_DATES === 'moved') return null
  if (url !== undefined && url !== '') return { url, close: async () => {} }
  const programs = await findPostgres()
  if (programs !== null) return startPostgres(programs)
  if (STORE_TESTS === 'required')
    throw new Error('There is no PostgreSQL, and STORE_TESTS=required says that there must be one.')
  console.warn('Tests with PostgreSQL are not run: none found. Install it, or set HELIX_TEST_POSTGRES.')
  return null
}
