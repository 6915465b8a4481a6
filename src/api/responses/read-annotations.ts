import { isRecord } from '../../base/is-record.ts'
import type { Annotation } from './items.ts'

/** The annotations of one part of a message, as `response-items.ts` writes them. */
export const annotationsIn = ({ annotations }: Readonly<Record<string, unknown>>, part: number): Annotation[] => {
  const list: unknown = Array.isArray(annotations) ? annotations[part] : null
  return Array.isArray(list) ? list.filter(isRecord) : []
}
