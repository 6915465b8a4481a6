import { Agent, createServer, get, type OutgoingHttpHeaders, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Taken = { body: Buffer; headers: OutgoingHttpHeaders }

/** A server's raw response as sent over the wire: `fetch` would decompress it. */
const take = (url: string, cookie: string, agent?: Agent): Promise<Taken> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'br', 'accept-language': 'en' }
    get(url, { headers, ...(agent === undefined ? {} : { agent }) }, (response) => {
      const { statusCode, headers } = response
      if (statusCode !== 200) reject(new Error(`${url} answered ${statusCode}`))
      const { 'content-type': type, 'content-encoding': encoding } = headers
      const known = { ...(type ? { 'content-type': type } : {}), ...(encoding ? { 'content-encoding': encoding } : {}) }
      buffer(response).then((body) => resolve({ body, headers: known }), reject)
    }).on('error', reject)
  })

/** Loads everything as a first-time visitor does, over six connections like a browser. */
export const takeAll = async (origin: string, cookie: string, paths: readonly string[]): Promise<Taken[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  try {
    return await Promise.all(paths.map((path) => take(origin + path, cookie, agent)))
  } finally {
    agent.destroy()
  }
}

/** A server that only writes another server's responses for these paths. */
export const createBareFiles = async (origin: string, cookie: string, paths: readonly string[]): Promise<Server> => {
  const taken = await takeAll(origin, cookie, paths)
  const files = new Map(paths.map((path, place) => [path, taken[place]]))
  return createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (file === undefined) response.writeHead(404).end()
    else response.writeHead(200, { ...file.headers, 'content-length': file.body.length }).end(file.body)
  })
}
