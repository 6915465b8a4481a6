import { parseArgs } from 'node:util'
import { measureClusterNode } from './cluster-node.ts'
import { startClusterProcesses } from './cluster-processes.ts'
import { measureClusterSize } from './cluster-size.ts'
import { measureTwoNodes } from './cluster-two-nodes.ts'

/**
 * One node on PostgreSQL and Redis against one on SQLite: CPU and latency for a request. Two nodes against one: requests
 * per second. And a request and the usage of 90 days with `--keys` keys and `--requests` requests in PostgreSQL against
 * the same node before they were added. `--only=` runs one part: node, two-nodes or size.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, keys: { type: 'string' }, requests: { type: 'string' } },
})
const amount = (name: 'keys' | 'requests', otherwise: number): number => {
  const value = Number(values[name] ?? otherwise)
  if (!(Number.isInteger(value) && value > 0 && value <= 100_000_000))
    throw new RangeError(`--${name} must be an integer above 0 and at most 100000000`)
  return value
}
const size = { keys: amount('keys', 1_000_000), requests: amount('requests', 10_000_000) }
const signal = AbortSignal.timeout(3_600_000)

const processes = await startClusterProcesses(signal)
if (processes === null) throw new Error('PostgreSQL or Redis was not found')
const parts = {
  node: () => measureClusterNode(processes),
  'two-nodes': () => measureTwoNodes(processes),
  size: () => measureClusterSize(processes, size),
}
try {
  if (values.only !== undefined && !(values.only in parts))
    throw new RangeError(`there is no part '${values.only}'; there are: ${Object.keys(parts).join(', ')}`)
  for (const [name, measure] of Object.entries(parts))
    if (values.only === undefined || values.only === name) await measure()
} finally {
  await processes.close()
}
