/** What spans say about themselves. Names are those of OpenTelemetry's semantic conventions, or begin with `helix.`. */
export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

/** Numbered as in OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const
type SpanKind = keyof typeof spanKinds

/** Times are on the monotonic clock. */
export type SpanEvent = { readonly name: string; readonly atMs: number }

export type Span = {
  readonly traceId: string
  readonly spanId: string
  /** Empty of a trace that begins here. */
  readonly parentSpanId: string
  readonly state: string
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  /** The span says that something failed. */
  readonly isError: boolean
  /** Another trace that caused this one. */
  readonly link: { readonly traceId: string; readonly spanId: string } | null
}
