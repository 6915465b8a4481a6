import type { Exchange } from './exchange.ts'

/**
 * Resolves once the answers to earlier requests on the connection have ended (RFC 9112 §9.3.2). Whatever is written before
 * that stays in memory, and is lost without having been sent when the client goes away.
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
