/** Removes secrets from a text that was written elsewhere. */
export type Redact = (text: string) => string

export const redacted = '[redacted]'

/** Anything shorter is not a secret, and may be part of ordinary words. */
const leastLength = 4

/** The secrets as they are, and as URLs and JSON spell them. Of two that contain each other, the longer is replaced. */
export const createRedactor = (secrets: readonly string[]): Redact => {
  const spellings = secrets
    .filter(({ length }) => length >= leastLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, redacted), text)
}
