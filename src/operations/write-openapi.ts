/** The origin of no server. */
const originMark = 'https://origin.invalid'

/**
 * A document as text, for the origin by which its reader reached the server. Writing it takes as long as reading hundreds of requests:
 * that is done once, when somebody first asks for it.
 */
export const createOpenapiWriter = (describe: (origin: string) => unknown): ((origin: string) => string) => {
  let parts: readonly string[] | null = null
  return (origin) => {
    parts ??= JSON.stringify(describe(originMark)).split(originMark)
    return parts.join(origin)
  }
}
