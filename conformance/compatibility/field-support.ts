/**
 * How the service treats every field of the official API and the extensions it knows. `docs/compatibility.md` is
 * generated from tables of these rows, and `compatibility.test.ts` sends every sample to the server.
 */
type Verdict =
  /** Works as officially documented. */
  | 'supported'
  /** Parsed and validated, without further effect. */
  | 'no effect'
  /** Unknown: left out of the request, and named in the header `x-helix-ignored-fields`. */
  | 'ignored and reported'
  /** An error that names the field; the code is given beside it. */
  | 'refused'

export type FieldSupport = {
  /** The path in a request. */
  field: string
  /** The values concerned, in words; omitted if all are. */
  value?: string
  verdict: Verdict
  code?: string
  note?: string
  /** Merged into a plain request. */
  sample: Record<string, unknown>
}

export const supported = (field: string, sample: unknown, note?: string): FieldSupport => ({
  field,
  verdict: 'supported',
  sample: { [field]: sample },
  ...(note === undefined ? {} : { note }),
})
export const noEffect = (field: string, sample: unknown): FieldSupport => ({
  field,
  verdict: 'no effect',
  sample: { [field]: sample },
})
export const refused = (field: string, value: string, code: string, sample: unknown, note?: string): FieldSupport => ({
  field,
  value,
  verdict: 'refused',
  code,
  sample: { [field]: sample },
  ...(note === undefined ? {} : { note }),
})
