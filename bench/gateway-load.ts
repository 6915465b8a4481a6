import { Agent, request as send } from 'node:http'

/** Sends requests on sixteen connections, each as soon as the one before is answered. Runs what the parent asks for. */
export type GatewayLoad = {
  url: string
  headers: Record<string, string>
  body: string
  requests: number
}

const connections = 16
const agent = new Agent({ keepAlive: true, maxSockets: connections })

const askOnce = ({ url, headers, body }: GatewayLoad): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = send(url, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    })
    request.on('response', (response) => {
      let last = ''
      response.on('data', (bytes: Buffer) => {
        last = bytes.toString('latin1', Math.max(0, bytes.length - 200))
      })
      response.on('end', () => {
        const isWhole = response.statusCode === 200 && /\[DONE\]|\}\s*$/.test(last)
        if (isWhole) resolve()
        else reject(new Error(`status ${response.statusCode}: ${last}`))
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })

const run = async (load: GatewayLoad): Promise<number> => {
  let left = load.requests
  const startedMs = performance.now()
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await askOnce(load)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return performance.now() - startedMs
}

process.on('message', (load: GatewayLoad) => {
  run(load).then(
    (elapsedMs) => process.send?.({ elapsedMs }),
    (error) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
