/**
 * How an upstream may write its own address in a message about a request, such as that of a proxy: what follows the host is left. A host
 * without dots and port is an ordinary word, and is only recognised behind its scheme.
 */
export const addressTexts = (baseUrl: string): string[] => {
  const { origin, host, hostname } = new URL(baseUrl)
  return [origin, ...(host === hostname ? [] : [host]), ...(/[.:]/.test(hostname) ? [hostname] : [])]
}
