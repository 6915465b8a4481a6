import { array, nullable, object } from '../http/schema/containers.ts'
import { decimal, oneOf, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import { count, get, socket, time } from './operation.ts'

const figure = described('Null if its version reports something else.', nullable(count))

const node = object({
  id: string(),
  name: string(),
  kind: oneOf('server', 'engine'),
  address: string(),
  version: string(),
  started_at: time,
  seen_ms_ago: count,
  running: figure,
  waiting: figure,
  busy: nullable(decimal({ min: 0, max: 1 })),
  memory_bytes: figure,
  engine_memory_bytes: described('Of its engine processes together; null without one.', nullable(count)),
  gpus: described(
    'The GPUs that its engines run on, with their memory and the library that uses them.',
    array(string()),
  ),
  gpu_fault: described(
    'Why an engine runs on the CPU although it should use a GPU; null otherwise.',
    nullable(string()),
  ),
  models: array(string()),
})
export type NodeJson = Shape<typeof node>

export const nodeOperations = {
  listNodes: get('/nodes', socket, 'Lists the nodes that share the database.', {
    answer: object({ data: array(node) }),
  }),
}

export const createNodeControl = (list: () => Promise<ListedNode[]>): Client<typeof nodeOperations> => ({
  listNodes: async () => ({ data: (await list()).map(nodeJson) }),
})

const nodeJson = ({ id, name, kind, address, version, startedAt, seenMsAgo, status }: ListedNode): NodeJson => ({
  ...{ id, name, kind, address, version, started_at: new Date(startedAt).toISOString(), seen_ms_ago: seenMsAgo },
  running: status?.running ?? null,
  waiting: status?.waiting ?? null,
  busy: status?.busy ?? null,
  memory_bytes: status?.memoryBytes ?? null,
  engine_memory_bytes: status?.engineMemoryBytes ?? null,
  gpus: [...(status?.gpus ?? [])],
  gpu_fault: status?.gpuFault ?? null,
  models: status?.models.map((model) => model.id) ?? [],
})
