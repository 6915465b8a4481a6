import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { runCommand } from '../harness/run-command.ts'

type Check = { node: string; check: string; state: string; ok: boolean; detail: string }

const beats = { leaseTimes: { beatMs: 20, leaseMs: 60_000, jitter: 0 } }

describe.skipIf(!hasCluster)('the doctor in a cluster', () => {
  test('shows what every node has found, such as a clock that is ten minutes off', async () => {
    const wrongClock = { ...systemClock, now: () => Date.now() + 600_000 }
    const cluster = await startCluster({
      ...{ nodes: 2, ...beats },
      each: (number) => (number === 2 ? { clock: wrongClock } : {}),
    })
    const examine = async (): Promise<{ ok: boolean; checks: Check[] }> => {
      const { stdout } = await runCommand(['doctor', '--json', '--data-dir', cluster.node(1).dataDir])
      return JSON.parse(stdout)
    }
    const clockOf = (checks: readonly Check[], node: string) =>
      checks.find((one) => one.node === node && one.check === 'clock')
    let found = await examine()
    // The other node reports with its heartbeats.
    while (clockOf(found.checks, 'node-2') === undefined) found = await examine()
    expect(found.ok).toBe(false)
    expect(clockOf(found.checks, 'node-1')?.state).toBe('ok')
    expect(clockOf(found.checks, 'node-2')).toMatchObject({ state: 'failed', ok: false })
    expect(clockOf(found.checks, 'node-2')?.detail).toMatch(
      /^\d{3}\.\d s ahead of the database; synchronise the clocks of both machines$/,
    )
    const thorough = found.checks.find(({ node, check }) => node === 'node-1' && check === 'redis')
    expect(thorough?.detail).toMatch(/^(Redis|Valkey) \d+\.\d+.*; a command took \d+ ms$/)

    const { stdout } = await runCommand(['doctor', '--data-dir', cluster.node(1).dataDir])
    expect(stdout).toMatch(/^ +NODE +CHECK +RESULT$/m)
    expect(stdout).toMatch(/^FAILED +node-2 +clock /m)
  })
})
