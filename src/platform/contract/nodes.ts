import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, decimal, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { get, owner } from './operation.ts'
import { count, time } from './scalars.ts'

const nodeStatus = object({
  running: described('Answers in progress.', count),
  waiting: described('Requests in its queues.', count),
  models: array(object({ id: string(), state: string() })),
  memoryBytes: described('Of the server process, without its engines.', count),
  engineMemoryBytes: described('Of its engine processes together; null without one.', nullable(count)),
  gpus: described(
    'The GPUs that its engines run on, with their memory and the library that uses them.',
    array(string()),
  ),
  gpuFault: described('Why an engine runs on the CPU although `engineGpu` is on; null otherwise.', nullable(string())),
  busy: described(
    'The share of the time that its main thread was busy since its last heartbeat.',
    decimal({ min: 0, max: 1 }),
  ),
})

const listedNode = object({
  id: string(),
  name: string(),
  kind: described('An `engine` only runs models, for the others.', oneOf('server', 'engine')),
  address: described('Where it listens.', string()),
  version: string(),
  startedAt: time,
  seenMsAgo: described('Milliseconds since its last heartbeat.', count),
  status: described('As of its last heartbeat; null if its version reports something else.', nullable(nodeStatus)),
  isOwn: described('Whether it answers this request.', boolean),
})
export type ShownNode = Shape<typeof listedNode>

export const nodeOperations = {
  listNodes: get('/admin/nodes', owner, 'Lists the nodes that share the database; a single server lists itself.', {
    answer: object({ data: array(listedNode) }),
  }),
}
