import type { RequestMark } from '../../store/request-log-contract.ts'

/** So that an id of an event fits into a header, whatever else is in it. */
const mostOpen = 200

/** A mark as the id of an event; undefined where it is too long for one, and the one before goes on to count. */
export const markText = ({ newest, refused, open }: RequestMark): string | undefined =>
  open.length > mostOpen
    ? undefined
    : `${newest.toString(36)}-${refused.toString(36)}-${open.map((each) => each.toString(36)).join('.')}`

const shape = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-((?:[0-9a-z]{1,10}(?:\.[0-9a-z]{1,10})*)?)$/

/** Null for what is no mark of ours. */
export const readMark = (text: string): RequestMark | null => {
  const [, newest, refused, open = ''] = shape.exec(text) ?? []
  if (newest === undefined || refused === undefined) return null
  const marks = open === '' ? [] : open.split('.')
  if (marks.length > mostOpen) return null
  return {
    newest: Number.parseInt(newest, 36),
    refused: Number.parseInt(refused, 36),
    open: marks.map((each) => Number.parseInt(each, 36)),
  }
}
