import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { ChatServer } from './stream-chat.ts'

export type LaunchedLlamaServer = ChatServer & { pid: number; flags: string; close(): Promise<void> }

type Settings = {
  program: string
  weightsPath: string
  slots: number
  contextTokens: number
  threads: number
  isEmbedding?: boolean
}

/** llama.cpp's own server with settings equal to the engine's: slots, context, threads, and no cache outside the slots. */
export const launchLlamaServer = async (
  { program, weightsPath, slots, contextTokens, threads, isEmbedding = false }: Settings,
  signal: AbortSignal,
): Promise<LaunchedLlamaServer> => {
  const port = await freePort()
  const kind = isEmbedding ? '--embeddings' : '--jinja'
  const flags = `-np ${slots} -c ${slots * contextTokens} --no-kv-unified -t ${threads} -tb ${threads} --cache-prompt --cache-ram 0 ${kind}`
  const server = spawn(program, ['-m', weightsPath, '--port', String(port), ...flags.split(' ')], {
    signal,
    stdio: 'ignore',
  })
  const exited = once(server, 'exit')
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`llama-server ended before it was ready: ${program} ${flags}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    ...{ url, key: '', model: 'any', flags, pid: server.pid ?? 0 },
    async close() {
      server.kill('SIGTERM')
      await exited
    },
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
