import type { RequestMark } from '../../store/request-log-contract.ts'

/** An event ID has to fit into a header. */
const maxOpen = 200

/** A mark as an event ID; undefined if it is too long, so that the previous ID stays valid. */
export const markText = ({ newest, refused, open }: RequestMark): string | undefined =>
  open.length > maxOpen
    ? undefined
    : `${newest.toString(36)}-${refused.toString(36)}-${open.map((each) => each.toString(36)).join('.')}`

const shape = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-((?:[0-9a-z]{1,10}(?:\.[0-9a-z]{1,10})*)?)$/

/** Null if it is not a mark. */
export const readMark = (text: string): RequestMark | null => {
  const [, newest, refused, open = ''] = shape.exec(text) ?? []
  if (newest === undefined || refused === undefined) return null
  const marks = open === '' ? [] : open.split('.')
  if (marks.length > maxOpen) return null
  return {
    newest: Number.parseInt(newest, 36),
    refused: Number.parseInt(refused, 36),
    open: marks.map((each) => Number.parseInt(each, 36)),
  }
}
