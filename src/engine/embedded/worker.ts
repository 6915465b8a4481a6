import { flushCompileCache } from 'node:module'
import { identifyWeights } from '../identify-weights.ts'
import { ModelRefused } from '../model-refused.ts'
import { EmbeddingHost } from './embedding/embedding-host.ts'
import { Host, type HostOptions } from './host.ts'
import type { FromWorker, ToWorker } from './protocol.ts'

/**
 * Connects the host to the parent process. The first message contains all settings. The process exits when the parent
 * goes away for any reason, and leaves signal handling to it, because Ctrl-C reaches both.
 */
export const runWorker = (channel: NodeJS.Process): void => {
  const send = (message: FromWorker): void => {
    // The parent may disconnect at this moment; that is not an error worth reporting during exit.
    if (channel.connected) channel.send?.(message, undefined, undefined, () => {})
  }
  let host: Host | undefined
  let embeddingHost: EmbeddingHost | undefined
  const load = async (message: ToWorker & { type: 'load' }): Promise<void> => {
    try {
      const { settings } = message
      const options: HostOptions = {
        send: (messages) => send({ type: 'requests', messages }),
        log: (level, text) => send({ type: 'log', level, text }),
        onThreads: (threads) => send({ type: 'threads', threads }),
      }
      if (settings.kind === 'chat') host = await Host.open(settings, options)
      else embeddingHost = await EmbeddingHost.open(settings, options)
      const opened = embeddingHost?.opened ?? host?.opened
      const weightsId = await identifyWeights(settings.files)
      if (opened) send({ type: 'ready', opened: { weightsId, ...opened }, processBytes: process.memoryUsage.rss() })
      // Node does this on exit, but this process is killed.
      flushCompileCache()
    } catch (error) {
      if (!(error instanceof ModelRefused)) throw error
      send({ type: 'refused', reason: error.message })
    }
  }
  const answer = (): void => {
    const progress = (host ?? embeddingHost)?.progress() ?? null
    send({ type: 'pong', progress, processBytes: process.memoryUsage.rss() })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) channel.on(signal, () => {})
  // A llama.cpp step may be running on another thread, and cleaning up during it is not safe.
  channel.on('disconnect', () => channel.kill(channel.pid, 'SIGKILL'))
  channel.on('message', (message: ToWorker) => {
    if (message.type === 'load') void load(message)
    else if (message.type === 'ping') answer()
    else if (message.type === 'prepare') void host?.prepare(message.id, message.conversation)
    else if (message.type === 'detokenise') void host?.detokenise(message)
    else if (message.type === 'generate') host?.generate(message)
    else if (message.type === 'tokenise') embeddingHost?.tokenise(message)
    else if (message.type === 'embed') embeddingHost?.embed(message)
    else if (message.type === 'pause') host?.pause(message.id)
    else if (message.type === 'resume') host?.resume(message.id)
    else (host ?? embeddingHost)?.cancel(message.id)
  })
}
