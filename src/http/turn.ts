import type { Exchange } from './exchange.ts'

/**
 * Resolves once the responses to earlier requests on the connection have ended (RFC 9112 §9.3.2). Anything written before
 * that stays in memory, and is lost unsent if the client disconnects.
 */
export const ownTurn = ({ response, signal }: Pick<Exchange, 'response' | 'signal'>): Promise<void> | undefined =>
  response.socket !== null
    ? undefined
    : new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason)
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        response.once('socket', () => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        })
      })
