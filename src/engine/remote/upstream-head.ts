/** The head of a response. */
export type UpstreamHead = { status: number; headers: Readonly<Record<string, string | undefined>> }

/** Never with a status other than 200, or as JSON; otherwise if a stream was requested, or the response says that it is one. */
export const isEventStream = ({ status, headers }: UpstreamHead, requested: boolean): boolean => {
  const type = headers['content-type'] ?? ''
  if (status !== 200 || type.includes('application/json')) return false
  return requested || type.includes('text/event-stream')
}

/** Of a header that occurs several times, the first one counts. */
export const firstOfEach = (headers: Record<string, string | string[] | undefined>): UpstreamHead['headers'] => {
  const firsts: Record<string, string | undefined> = {}
  for (const name in headers) {
    const value = headers[name]
    firsts[name] = typeof value === 'string' ? value : value?.[0]
  }
  return firsts
}
