import type { Exchange } from '../../../http/exchange.ts'
import type { IgnoredFields } from '../../../store/ledger-contract.ts'

/** How the fields that were left out of a request are reported: in a header of the response, and with the request. */
const maxNames = 32
/** Clients limit all headers together, some to 8 KB. */
const maxHeaderBytes = 4096

export const reportIgnoredFields = ({ response, progress }: Exchange, paths: readonly string[]): void => {
  if (paths.length === 0) return
  response.setHeader('x-helix-ignored-fields', ignoredFieldsHeader(paths))
  if (progress !== null) progress.ignoredFields = paths.length
}

/** `messages[0].cache_breakpoint, top_a`; what is left out of the list is counted at its end: `+8 more`. */
const ignoredFieldsHeader = (paths: readonly string[]): string => {
  const listed: string[] = []
  let bytes = 0
  for (const path of paths.slice(0, maxNames)) {
    const text = headerText(path)
    bytes += text.length + 2
    if (bytes > maxHeaderBytes) break
    listed.push(text)
  }
  const more = paths.length - listed.length
  return [...listed, ...(more > 0 ? [`+${more} more`] : [])].join(', ')
}

/** A name may have any characters. All but printable ASCII, and what separates names, is percent-encoded. */
const headerText = (path: string): string =>
  path.replace(/[^!-~]|[,%+]/gu, (character) => encodeURIComponent(character))

/**
 * For the record of the request: each field once for all messages, as `messages[].cache_breakpoint`. A name that no API
 * would have may be a user's text, which the ledger never contains.
 */
export const ignoredFieldsRecord = (paths: readonly string[]): { ignoredFields?: IgnoredFields } => {
  const names = [...new Set(paths.map((path) => (isPlain.test(path) ? path.replace(/\[\d+\]/g, '[]') : '…')))]
  if (names.length === 0) return {}
  return { ignoredFields: { names: names.slice(0, maxNames), more: Math.max(0, names.length - maxNames) } }
}

const isPlain = /^[\w.:$[\]-]+$/

/** Whether unknown fields of a body are refused, because the operator or the client wants it. */
export const isStrict = ({ request }: Pick<Exchange, 'request'>, strictRequests: boolean): boolean =>
  strictRequests || request.headers['x-helix-strict'] === '1' || request.headers['x-helix-strict'] === 'true'
