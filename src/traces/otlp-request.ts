import type { Attributes } from './span.ts'
import { writeAttributes } from './write-span.ts'

/** Writes an `ExportTraceServiceRequest` in JSON around spans that are written already. */
export const createOtlpRequest = (resource: Attributes, version: string): ((spans: readonly string[]) => string) => {
  const head = `{"attributes":${writeAttributes(resource)}}`
  const scope = JSON.stringify({ name: 'helix', version })
  return (spans) =>
    `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${scope},"spans":[${spans.join(',')}]}]}]}`
}
