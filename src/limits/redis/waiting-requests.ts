/** Requests that have passed a precheck at this node alone, by the entities for which they count. */
export class WaitingRequests {
  readonly #byEntity = new Map<string, Set<string>>()

  add(id: string, entityIds: readonly string[]): void {
    for (const entityId of entityIds) {
      const ids = this.#byEntity.get(entityId) ?? new Set()
      this.#byEntity.set(entityId, ids.add(id))
    }
  }

  /** False: it was not waiting, or not any more. */
  remove(id: string, entityIds: readonly string[]): boolean {
    let isRemoved = false
    for (const entityId of entityIds) {
      const ids = this.#byEntity.get(entityId)
      if (ids?.delete(id)) isRemoved = true
      if (ids?.size === 0) this.#byEntity.delete(entityId)
    }
    return isRemoved
  }

  count(entityId: string): number {
    return this.#byEntity.get(entityId)?.size ?? 0
  }
}
