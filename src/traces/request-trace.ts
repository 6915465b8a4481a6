import type { Attributes } from './span.ts'
import { type TraceParent, traceHeaders } from './trace-context.ts'
import { newSpanId } from './trace-ids.ts'

/** What a request to a model goes through, in this order. */
export type TraceStep =
  /** It is valid, and its model may be used. */
  | 'accepted'
  /** Its prompt is written and counted. */
  | 'rendered'
  /** Its limits allow it. */
  | 'admitted'
  /** The ledger has it, and it waits for a slot. */
  | 'queued'
  /** It has a slot. */
  | 'started'
  /** The engine has read its prompt, or an upstream has accepted it. */
  | 'prefilled'
  | 'first_token'
  /** The ledger has what was delivered. */
  | 'settled'

type Period = { readonly fromMs: number; readonly toMs: number }

/** How it ended, as the ledger records it. */
export type SettledTrace = {
  readonly outcome: string
  readonly error: string | null
  readonly finishReason: string | null
  readonly counts: {
    readonly promptTokens: number
    readonly cachedTokens: number
    readonly completionTokens: number
    readonly reasoningTokens: number
  }
}

/** The response, once nothing more of it is sent. */
export type EndedResponse = {
  readonly name: string
  readonly error: string | null
  /** Called only if the trace is kept. */
  describe(): Attributes
  readonly endMs: number
  readonly isError: boolean
}

/** A request to another server. */
export type TraceCall = {
  readonly spanId: string
  describe(): Attributes
  readonly startMs: number
  endMs: number | null
  headMs: number | null
  status: number | null
  error: string | null
}

/** What was recorded of a request. Only read once it has ended, and only if it is kept. */
export type RecordedTrace = {
  readonly context: TraceParent
  readonly parent: TraceParent | null
  /** The caller's trace, if this one does not continue it. */
  readonly link: TraceParent | null
  readonly startMs: number
  readonly wallOffsetMs: number
  readonly steps: ReadonlyMap<TraceStep, number>
  readonly calls: readonly TraceCall[]
  readonly pauses: readonly Period[]
  readonly request: () => Attributes
  readonly content: () => Attributes
  readonly settled: SettledTrace | null
  readonly response: EndedResponse
}

type RequestTraceOptions = Pick<RecordedTrace, 'context' | 'parent' | 'link' | 'startMs' | 'wallOffsetMs'> & {
  hasContent: boolean
  monotonicMs(): number
  onEnd(trace: RecordedTrace): void
}

/** More attempts than a request can have, unless it has many choices. */
const maxCalls = 128

/**
 * Records one request: times and a few names, so that it costs little if it is not kept. It ends once the response has ended
 * and nothing works for it any more. As its members are private, a copy for another thread or process has none.
 */
export class RequestTrace {
  readonly #options: RequestTraceOptions
  readonly #steps = new Map<TraceStep, number>()
  readonly #calls: TraceCall[] = []
  #pauses: readonly Period[] = []
  #request = (): Attributes => ({})
  #content = (): Attributes => ({})
  #settled: SettledTrace | null = null
  #response: EndedResponse | null = null
  #working = 0
  #hasEnded = false

  constructor(options: RequestTraceOptions) {
    this.#options = options
  }

  get traceId(): string {
    return this.#options.context.traceId
  }

  /** A step is reached now. Only the first time counts. */
  reached(step: TraceStep): void {
    if (!this.#steps.has(step)) this.#steps.set(step, this.#options.monotonicMs())
  }

  /** What is asked for, by the names of the conventions. Called only if the trace is kept. */
  asks(describe: () => Attributes): void {
    this.#request = describe
  }

  /** The operator wants the texts of prompts and answers in traces. */
  get hasContent(): boolean {
    return this.#options.hasContent
  }

  /** These texts. Called only if the trace is kept, and the operator wants them. */
  contains(describe: () => Attributes): void {
    if (this.#options.hasContent) this.#content = describe
  }

  /** The ledger records its end. */
  settles(settled: SettledTrace, pauses: readonly Period[]): void {
    this.reached('settled')
    this.#settled = settled
    this.#pauses = pauses
  }

  /** Another server is asked now. Null once too many were. `describe` is called only if the trace is kept. */
  calls(describe: () => Attributes): TracedCall | null {
    if (this.#calls.length >= maxCalls || this.#hasEnded) return null
    const { context, monotonicMs } = this.#options
    const call: TraceCall = {
      ...{ spanId: newSpanId(), describe, startMs: monotonicMs() },
      ...{ endMs: null, headMs: null, status: null, error: null },
    }
    this.#calls.push(call)
    return new TracedCall(call, traceHeaders({ ...context, spanId: call.spanId }), monotonicMs)
  }

  /** Work for it begins, which may go on after the response: an answer that can be replayed. The returned function ends it. */
  works(): () => void {
    let isWorking = true
    this.#working += 1
    return () => {
      if (!isWorking) return
      isWorking = false
      this.#working -= 1
      this.#end()
    }
  }

  ends(response: EndedResponse): void {
    this.#response ??= response
    this.#end()
  }

  #end(): void {
    if (this.#hasEnded || this.#working > 0 || this.#response === null) return
    this.#hasEnded = true
    const { onEnd, context, parent, link, startMs, wallOffsetMs } = this.#options
    onEnd({
      ...{ context, parent, link, startMs, wallOffsetMs },
      steps: this.#steps,
      calls: this.#calls,
      pauses: this.#pauses,
      request: this.#request,
      content: this.#content,
      settled: this.#settled,
      response: this.#response,
    })
  }
}

/** A request to another server that is under way. */
export class TracedCall {
  readonly #call: TraceCall
  readonly #monotonicMs: () => number
  /** To be sent with the request. */
  readonly headers: Readonly<Record<string, string>>

  constructor(call: TraceCall, headers: Readonly<Record<string, string>>, monotonicMs: () => number) {
    this.#call = call
    this.headers = headers
    this.#monotonicMs = monotonicMs
  }

  /** The head of the response has arrived. */
  answered(status: number): void {
    this.#call.status = status
    this.#call.headMs = this.#monotonicMs()
  }

  /** A name for what went wrong. Only the first counts. */
  failed(error: string): void {
    this.#call.error ??= error
  }

  ended(): void {
    this.#call.endMs ??= this.#monotonicMs()
  }
}
