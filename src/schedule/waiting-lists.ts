export type Waiter = {
  readonly id: number
  readonly ownerId: string
  /** That of its organisation. */
  readonly weight: number
  /** Among the requests of an owner the lowest goes first. */
  readonly order: number
  /** It waits for a slot again, and goes before those of its owner that have not started. */
  readonly hasStarted: boolean
  readonly expectedCost: number
}

/** `charge`: the cost as the owner is charged for it, divided by the weights. */
type List<Request> = { requests: Request[]; cost: number; charge: number }

/** The waiting requests by owner, each list in service order. */
export class WaitingLists<Request extends Waiter> {
  readonly #lists = new Map<string, List<Request>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  of(ownerId: string): readonly Request[] {
    return this.#lists.get(ownerId)?.requests ?? []
  }

  /** The total expected cost of the owner's waiting requests. */
  costOf(ownerId: string): { cost: number; charge: number } {
    const { cost, charge } = this.#lists.get(ownerId) ?? { cost: 0, charge: 0 }
    return { cost, charge }
  }

  /** The next request of each owner. */
  *firsts(): Generator<Request, void> {
    for (const { requests } of this.#lists.values()) if (requests[0] !== undefined) yield requests[0]
  }

  add(request: Request): void {
    const list = this.#lists.get(request.ownerId) ?? { requests: [], cost: 0, charge: 0 }
    const before = list.requests.findLastIndex((other) => !goesFirst(request, other))
    list.requests.splice(before + 1, 0, request)
    list.cost += request.expectedCost
    list.charge += request.expectedCost / request.weight
    this.#lists.set(request.ownerId, list)
    this.#size += 1
  }

  remove(request: Request): void {
    const list = this.#lists.get(request.ownerId)
    const index = list?.requests.indexOf(request) ?? -1
    if (list === undefined || index === -1) return
    list.requests.splice(index, 1)
    list.cost -= request.expectedCost
    list.charge -= request.expectedCost / request.weight
    this.#size -= 1
    if (list.requests.length === 0) this.#lists.delete(request.ownerId)
  }
}

const goesFirst = (one: Waiter, other: Waiter): boolean =>
  one.hasStarted === other.hasStarted ? one.order < other.order : one.hasStarted
