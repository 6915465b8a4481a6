import { Agent, request as send } from 'node:http'

/**
 * Sends requests on at most sixteen connections: each as soon as the one before is answered, or, with `perSecond`, at a
 * fixed rate, whether earlier ones were answered or not. Runs what the parent asks for.
 */
export type GatewayLoad = {
  url: string
  headers: Record<string, string>
  body: string
  requests: number
  /** How many are sent at the same time; sixteen if absent. */
  connections?: number
  /** At a fixed rate the time of a request counts from the moment at which it was due. */
  perSecond?: number
  /** Other responses than whole ones are counted; otherwise the first ends the run. */
  countsRefused?: boolean
  /** Keeps a core busy to send each request when it is due; otherwise up to a millisecond later. */
  isExact?: boolean
}

export type GatewayTimes = {
  /** From the request to the first bytes of the body. */
  firstMs: number[]
  totalMs: number[]
  /** Requests that were not answered as a whole. */
  refused: number
}

const defaultConnections = 16
// More than may wait in a gateway, so that it can refuse, and few enough for the usual limit of open files.
const agent = new Agent({ keepAlive: true, maxSockets: 1500 })

const askOnce = (load: GatewayLoad, times: GatewayTimes, dueMs = performance.now()): Promise<void> =>
  new Promise((resolve, reject) => {
    const { url, headers, body, countsRefused = false } = load
    const refuse = (error: Error): void => {
      times.refused += 1
      if (countsRefused) resolve()
      else reject(error)
    }
    const request = send(url, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    })
    request.on('response', (response) => {
      let last = ''
      response.once('data', () => times.firstMs.push(performance.now() - dueMs))
      response.on('data', (bytes: Buffer) => {
        last = bytes.toString('latin1', Math.max(0, bytes.length - 200))
      })
      response.on('end', () => {
        const tookMs = performance.now() - dueMs
        const isWhole = response.statusCode === 200 && /\[DONE\]|\}\s*$/.test(last)
        if (!isWhole) return refuse(new Error(`status ${response.statusCode}: ${last}`))
        times.totalMs.push(tookMs)
        resolve()
      })
      response.on('error', refuse)
    })
    request.on('error', refuse)
    request.end(body)
  })

const runClosed = async (load: GatewayLoad, times: GatewayTimes): Promise<void> => {
  let left = load.requests
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await askOnce(load, times)
    }
  }
  await Promise.all(Array.from({ length: load.connections ?? defaultConnections }, work))
}

const runAtRate = (load: GatewayLoad, perSecond: number, times: GatewayTimes): Promise<void> =>
  new Promise((resolve, reject) => {
    const startMs = performance.now()
    const dueMs = (request: number): number => startMs + (request * 1000) / perSecond
    const running: Promise<void>[] = []
    const sendDue = (): boolean => {
      while (running.length < load.requests && dueMs(running.length) <= performance.now())
        running.push(askOnce(load, times, dueMs(running.length)))
      return running.length === load.requests
    }
    const goOn = (): void => {
      if (sendDue()) Promise.all(running).then(() => resolve(), reject)
      else if (load.isExact) setImmediate(goOn)
      else setTimeout(goOn, 1)
    }
    goOn()
  })

process.on('message', (load: GatewayLoad) => {
  const times: GatewayTimes = { firstMs: [], totalMs: [], refused: 0 }
  const run = load.perSecond === undefined ? runClosed(load, times) : runAtRate(load, load.perSecond, times)
  run.then(
    () => process.send?.(times),
    (error) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
