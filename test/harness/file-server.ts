import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type FileServerOptions = {
  content: Buffer
  /** Null: the server sends none. */
  etag?: string | null
  /** False: `Range` is ignored. */
  ranges?: boolean
  /** False: the length is not announced. */
  sized?: boolean
  /** The first answers stop after this many bytes; `received` then closes their connections. */
  cuts?: number[]
}
export type FileServer = {
  url: string
  /** The headers of each request. */
  requests: IncomingHttpHeaders[]
  /** Changes the file, from the next request on. */
  change(options: Partial<FileServerOptions>): void
  /** Says how much of the file the client has. Unread bytes of a closed connection would be lost. */
  received(bytes: number): void
}
type Handler = (response: ServerResponse, headers: IncomingHttpHeaders, path: string) => void

/** A web server for one test that answers by a function. */
export const startWebServer = async (handle: Handler): Promise<{ url: string; requests: IncomingHttpHeaders[] }> => {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    handle(response, request.headers, request.url ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Serves one file under every path, as storage services do. */
export const startFileServer = async (options: FileServerOptions): Promise<FileServer> => {
  let current = options
  const cuts = [...(options.cuts ?? [])]
  let waiting: { response: ServerResponse; atBytes: number } | null = null
  const { url, requests } = await startWebServer((response, headers) => {
    const { content, etag = '"v1"', ranges = true, sized = true } = current
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    const isPart = ranges && from > 0 && (headers['if-range'] === undefined || headers['if-range'] === etag)
    const body = isPart ? content.subarray(from) : content
    if (etag !== null) response.setHeader('etag', etag)
    if (sized) response.setHeader('content-length', body.length)
    if (isPart && from >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}`, 'content-length': 0 }).end()
      return
    }
    if (isPart) response.setHeader('content-range', `bytes ${from}-${content.length - 1}/${content.length}`)
    response.writeHead(isPart ? 206 : 200)
    const cut = cuts.shift()
    if (cut === undefined) response.end(body)
    else {
      response.write(body.subarray(0, cut))
      waiting = { response, atBytes: (isPart ? from : 0) + cut }
    }
  })
  return {
    url,
    requests,
    change(changed) {
      current = { ...current, ...changed }
    },
    received(bytes) {
      if (waiting?.atBytes !== bytes) return
      waiting.response.destroy()
      waiting = null
    },
  }
}
