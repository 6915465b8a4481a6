import { openapiDocument } from './document.ts'

/** The origin of no server. */
const originMark = 'https://origin.invalid'

/**
 * The document as text, for the origin by which its reader reached the server. Anybody may ask for it, and writing it takes as long as
 * reading hundreds of requests: that is done once.
 */
export const createDocumentWriter = (options: { strictRequests: boolean }): ((origin: string) => string) => {
  let parts: readonly string[] | null = null
  return (origin) => {
    parts ??= JSON.stringify(openapiDocument(originMark, options)).split(originMark)
    return parts.join(origin)
  }
}
