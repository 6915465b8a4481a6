import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { findRedis } from './find-redis.ts'
import { type RedisServer, startRedis } from './start-redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts Redis when it is first asked for, and answers with its address and the program to start others. */
    redisStarter: string
  }
}

type Started = { server: Pick<RedisServer, 'url' | 'close'>; program: string | null }

/** One Redis for all files of a run, and none for a run that needs none. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<Started | null> | null = null
  const starter = createServer((_, response) => {
    started ??= findOrStart()
    started.then(
      (found) => response.end(JSON.stringify(found && { url: found.server.url, program: found.program })),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  const address = starter.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on a port')
  provide('redisStarter', `http://127.0.0.1:${address.port}`)
  return async () => {
    starter.closeAllConnections()
    starter.close()
    await (await started?.catch(() => null))?.server.close()
  }
}

const findOrStart = async (): Promise<Started | null> => {
  const { HELIX_TEST_REDIS: url, STORE_TESTS } = process.env
  const program = await findRedis()
  if (url?.includes('://')) return { server: { url, close: async () => {} }, program }
  if (program !== null) return { server: await startRedis(program), program }
  if (STORE_TESTS === 'required')
    throw new Error('There is no Redis, and STORE_TESTS=required says that there must be one.')
  console.warn('Tests with Redis are not run: none found. Install it, or set HELIX_TEST_REDIS.')
  return null
}
