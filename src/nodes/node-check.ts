/** `warning`: it works, but somebody should look at it. */
export type CheckState = 'ok' | 'warning' | 'failed'

/** What a node has found out about one of its dependencies. */
export type NodeCheck = {
  check: string
  state: CheckState
  /** One line for the operator. */
  detail: string
  /** How long ago it was checked. */
  ageMs: number
  /** For how long it has been in this state. */
  sinceMs: number
}

const states: readonly unknown[] = ['ok', 'warning', 'failed']
/** As a node of another version may have written them. */
const maxChecks = 50

export const isNodeChecks = (value: unknown): value is readonly NodeCheck[] =>
  Array.isArray(value) &&
  value.length <= maxChecks &&
  value.every((one: Partial<Record<keyof NodeCheck, unknown>> | null) => {
    const { check, state, detail, ageMs, sinceMs } = one ?? {}
    return (
      typeof check === 'string' &&
      typeof detail === 'string' &&
      states.includes(state) &&
      Number.isSafeInteger(ageMs) &&
      Number.isSafeInteger(sinceMs)
    )
  })
