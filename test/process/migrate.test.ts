import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

test('the database of a new data directory is created, and again there is nothing to do', async () => {
  const dataDir = join(scratchPath(), 'data')
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await runProgram(['migrate', '--data-dir', dataDir])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`The database of ${dataDir} is up to date.\n`)
  }
  expect(existsSync(join(dataDir, 'helix.db'))).toBe(true)
})

describe.skipIf(!hasCluster)('on PostgreSQL', () => {
  test('nodes keep running', async () => {
    const cluster = await startCluster({ nodes: 1 })
    const env = { HELIX_STORE: cluster.databaseUrl, HELIX_REDIS: cluster.redisUrl }
    const { code, stdout, stderr } = await runProgram(['migrate', '--data-dir', join(scratchPath(), 'data')], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^The database of .+ is up to date\.\n$/)
    expect((await fetch(`${cluster.node(1).url}/readyz`)).status).toBe(200)
  })
})
