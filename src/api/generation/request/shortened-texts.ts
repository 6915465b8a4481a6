import type { ShortenedTexts } from '../../../http/parse-json.ts'
import type { NeededExtracts } from './body-extracts.ts'

const messageTexts = /^messages\[\d+\]\.content(\[\d+\]\.text)?$/

/** Texts of messages that are refused, whatever is in them: most of a body is often one of them, and need not be parsed. */
export const shortenedTexts = ({
  maxTextBytes = null,
}: Pick<NeededExtracts, 'maxTextBytes'>): ShortenedTexts | undefined =>
  maxTextBytes === null ? undefined : { paths: messageTexts, maxBytes: maxTextBytes }
