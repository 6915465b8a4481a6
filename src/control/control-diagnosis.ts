import { array, nullable, object } from '../http/schema/containers.ts'
import { boolean, oneOf, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import type { NodeCheck } from '../nodes/node-check.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import { count, get, socket } from './operation.ts'

const check = object({
  check: string(),
  state: oneOf('ok', 'warning', 'failed'),
  detail: string(),
  age_ms: described('How long ago it was checked.', count),
  since_ms: described('For how long it has been in this state.', count),
})
type CheckJson = Shape<typeof check>

const diagnosis = object({
  node: string(),
  kind: oneOf('server', 'engine'),
  version: string(),
  is_own: described('Whether it is the node that was asked.', boolean),
  seen_ms_ago: count,
  checks: described('Null if its version does not report them.', nullable(array(check))),
})
export type DiagnosisJson = Shape<typeof diagnosis>

export const diagnosisOperations = {
  diagnose: get('/diagnosis', socket, 'Checks the dependencies of this node, and lists what the others have found.', {
    answer: object({ data: array(diagnosis) }),
  }),
}

type DiagnosisDependencies = {
  runChecks(): Promise<readonly NodeCheck[]>
  listNodes(): Promise<ListedNode[]>
  /** If the list cannot be read. */
  self: { name: string; kind: 'server' | 'engine'; version: string }
}

export const createDiagnosisControl = (dependencies: DiagnosisDependencies): Client<typeof diagnosisOperations> => ({
  async diagnose() {
    const { runChecks, listNodes, self } = dependencies
    const own = await runChecks()
    // If the database is away, the checks of this node say so.
    const nodes = await listNodes().catch((): ListedNode[] => [])
    const listed = nodes.filter(({ isOwn }) => !isOwn).map(diagnosisOf)
    const { name, kind, version } = self
    return {
      data: [
        { node: name, kind, version, is_own: true, seen_ms_ago: 0, checks: own.map((one) => checkJson(one, 0)) },
        ...listed,
      ],
    }
  },
})

const diagnosisOf = ({ name, kind, version, seenMsAgo, status }: ListedNode): DiagnosisJson => ({
  ...{ node: name, kind, version, is_own: false, seen_ms_ago: seenMsAgo },
  checks: status?.checks?.map((one) => checkJson(one, seenMsAgo)) ?? null,
})

/** Ages are those of the node's last heartbeat. */
const checkJson = ({ check: name, state, detail, ageMs, sinceMs }: NodeCheck, seenMsAgo: number): CheckJson => ({
  ...{ check: name, state, detail },
  age_ms: Math.max(0, ageMs + seenMsAgo),
  since_ms: Math.max(0, sinceMs + seenMsAgo),
})
