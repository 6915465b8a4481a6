import { type Closers, createClosers } from './closers.ts'

/** From the start of a server to its end. docs/lifecycle.md draws it, and says what each phase opens. */
export type ServerState =
  | 'unopened'
  /** The data directory, the models, the database, Redis and the site are opened. */
  | 'storage'
  /** The server joins the others, and its upstreams and engine nodes are opened. */
  | 'cluster'
  /** Keys and accounts, the ledger, the limits and the replays are opened. */
  | 'accounting'
  /** Endpoints and routes are built. */
  | 'endpoints'
  /** From here on requests arrive. */
  | 'listeners'
  | 'serving'
  /** What was opened is closed in the reverse order. */
  | 'closing'
  | 'closed'

/** What may follow, as long as everything can be opened. */
const following = {
  unopened: 'storage',
  storage: 'cluster',
  cluster: 'accounting',
  accounting: 'endpoints',
  endpoints: 'listeners',
  listeners: 'serving',
  serving: null,
  closing: null,
  closed: null,
} as const satisfies Record<ServerState, ServerState | null>

type Phase = Exclude<(typeof following)[ServerState], 'serving' | null>

/** The order in which the parts of a server are opened. If one cannot be, those before it are closed. */
export class ServerLife {
  readonly #closers = createClosers()
  #state: ServerState = 'unopened'
  #closing: Promise<void> | null = null

  get state(): ServerState {
    return this.#state
  }

  /** Opens the next phase. `open` adds what closes its parts. */
  async open<Opened>(phase: Phase, open: (closers: Closers) => Opened | Promise<Opened>): Promise<Opened> {
    this.#enter(phase)
    return open(this.#closers)
  }

  /** Everything is open. */
  serve(): void {
    this.#enter('serving')
  }

  /** Closes everything in the reverse order of its opening; once, however often it is called. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  #enter(state: Phase | 'serving'): void {
    if (following[this.#state] !== state) throw new Error(`${state} cannot follow ${this.#state}`)
    this.#state = state
  }

  async #closeAll(): Promise<void> {
    this.#state = 'closing'
    await this.#closers.closeAll()
    this.#state = 'closed'
  }
}
