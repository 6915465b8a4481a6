import type { ListedNode } from '../nodes/node-lease.ts'

export type NodeJson = {
  id: string
  name: string
  kind: string
  address: string
  version: string
  started_at: string
  seen_ms_ago: number
  /** Null if its version reports something else. */
  running: number | null
  waiting: number | null
  busy: number | null
  memory_bytes: number | null
  /** Of its engine processes together; null without one. */
  engine_memory_bytes: number | null
  /** Why an engine runs on the CPU although it should use a GPU; null otherwise. */
  gpu_fault: string | null
  models: string[]
}

export type NodeControl = { listNodes(): Promise<{ data: NodeJson[] }> }

/** The nodes that share the database. */
export const createNodeControl = (list: () => Promise<ListedNode[]>): NodeControl => ({
  listNodes: async () => ({ data: (await list()).map(nodeJson) }),
})

const nodeJson = ({ id, name, kind, address, version, startedAt, seenMsAgo, status }: ListedNode): NodeJson => ({
  ...{ id, name, kind, address, version, started_at: new Date(startedAt).toISOString(), seen_ms_ago: seenMsAgo },
  running: status?.running ?? null,
  waiting: status?.waiting ?? null,
  busy: status?.busy ?? null,
  memory_bytes: status?.memoryBytes ?? null,
  engine_memory_bytes: status?.engineMemoryBytes ?? null,
  gpu_fault: status?.gpuFault ?? null,
  models: status?.models.map((model) => model.id) ?? [],
})
