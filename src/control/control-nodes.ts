import type { ListedNode } from '../nodes/node-lease.ts'

export type NodeJson = {
  id: string
  name: string
  address: string
  version: string
  started_at: number
  seen_ms_ago: number
  /** Null if its version reports something else. */
  running: number | null
  waiting: number | null
  busy: number | null
  memory_bytes: number | null
  models: string[]
}

export type NodeControl = { listNodes(): Promise<{ data: NodeJson[] }> }

/** The nodes that share the database. */
export const createNodeControl = (list: () => Promise<ListedNode[]>): NodeControl => ({
  listNodes: async () => ({ data: (await list()).map(nodeJson) }),
})

const nodeJson = ({ id, name, address, version, startedAt, seenMsAgo, status }: ListedNode): NodeJson => ({
  ...{ id, name, address, version, started_at: startedAt, seen_ms_ago: seenMsAgo },
  running: status?.running ?? null,
  waiting: status?.waiting ?? null,
  busy: status?.busy ?? null,
  memory_bytes: status?.memoryBytes ?? null,
  models: status?.models.map((model) => model.id) ?? [],
})
