/** Which of the servers that share the database a store belongs to. */
export type OwnNode = {
  /** Changes when the node registers again. */
  id: string
  /** False: one server uses the database alone, and needs no lease. */
  readonly isLeased: boolean
}

/** The id of a server that uses its database alone, the same after each start. */
export const singleNodeId = 'main'
