export type Waiter = {
  readonly id: number
  readonly organisationId: string
  /** Within an organisation the lowest goes first. */
  readonly order: number
  readonly expectedCost: number
}

type List<Request> = { requests: Request[]; cost: number }

/** The waiting requests by organisation, each list in service order. */
export class WaitingLists<Request extends Waiter> {
  readonly #lists = new Map<string, List<Request>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  of(organisationId: string): readonly Request[] {
    return this.#lists.get(organisationId)?.requests ?? []
  }

  /** The total expected cost of the organisation's waiting requests. */
  costOf(organisationId: string): number {
    return this.#lists.get(organisationId)?.cost ?? 0
  }

  /** The next request of each organisation. */
  *firsts(): Generator<Request, void> {
    for (const { requests } of this.#lists.values()) if (requests[0] !== undefined) yield requests[0]
  }

  add(request: Request): void {
    const list = this.#lists.get(request.organisationId) ?? { requests: [], cost: 0 }
    const before = list.requests.findLastIndex(({ order }) => order <= request.order)
    list.requests.splice(before + 1, 0, request)
    list.cost += request.expectedCost
    this.#lists.set(request.organisationId, list)
    this.#size += 1
  }

  remove(request: Request): void {
    const list = this.#lists.get(request.organisationId)
    const index = list?.requests.indexOf(request) ?? -1
    if (list === undefined || index === -1) return
    list.requests.splice(index, 1)
    list.cost -= request.expectedCost
    this.#size -= 1
    if (list.requests.length === 0) this.#lists.delete(request.organisationId)
  }
}
