import { mintKey } from '../src/keys/key-format.ts'
import { claimServer } from '../test/harness/browser-session.ts'
import type { ClusterProcesses } from './cluster-processes.ts'
import { fillPostgres, type StoredAmount } from './fill-postgres.ts'
import { median, ratioSpread, report, spreadOf, takeTurns } from './measure.ts'

const rounds = 15
const requests = 100
const maxRatio = 1.5

/** Time to verify a key, to answer a request and to show the usage of 90 days, with a full database against an empty one. */
export const measureClusterSize = async (
  { nodes: [node], postgresUrl, ask }: ClusterProcesses,
  amount: StoredAmount,
): Promise<void> => {
  const owner = await claimServer({ server: { url: node.url, claimUrl: await node.claimUrl() } })
  const { organisation } = await owner.load()
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const milliseconds = async (act: () => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now()
    await act()
    return performance.now() - startedMs
  }
  /** A key that nobody has is always looked up. */
  const refuseUnknownKey = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${mintKey()}` }
    const response = await fetch(`${node.url}/v1/models`, { headers })
    await response.arrayBuffer()
    if (response.status !== 401) throw new Error(`an unknown key was answered with ${response.status}`)
  }
  const verify = async (): Promise<number> => {
    const times: number[] = []
    for (let count = 0; count < requests; count += 1) times.push(await milliseconds(refuseUnknownKey))
    return median(times)
  }
  const answer = async (): Promise<number> =>
    median((await ask([node], { requests, connections: 1 })).flatMap(({ totalMs }) => totalMs))
  const showUsage = (): Promise<number> =>
    milliseconds(async () => {
      const response = await fetch(`${node.url}/platform/usage?days=90`, { headers: { cookie } })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`the usage was answered with ${response.status}`)
    })
  const measure = () => takeTurns(rounds, { verify, answer, usage: showUsage })

  await takeTurns(5, { verify, answer, usage: showUsage }) // V8 compiles first.
  const empty = await measure()
  const fillSeconds = (await milliseconds(() => fillPostgres(postgresUrl, organisation?.id ?? '', amount))) / 1000
  const full = await measure()
  for (const part of ['verify', 'answer', 'usage'] as const) {
    const ratio = ratioSpread(full[part], empty[part])
    report({
      bench: `cluster, ${part} with ${amount.keys} keys and ${amount.requests} requests`,
      ratio,
      target: `at most ${maxRatio} times that of an empty database`,
      met: ratio.median <= maxRatio,
      rounds,
      figures: { fullMs: spreadOf(full[part]), emptyMs: spreadOf(empty[part]), fillSeconds: Math.round(fillSeconds) },
    })
  }
}
