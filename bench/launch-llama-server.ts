import { launchHttpServer } from './launch-http-server.ts'
import type { ChatServer } from './stream-chat.ts'

export type LaunchedLlamaServer = ChatServer & { pid: number; flags: string; close(): Promise<void> }

type Settings = {
  program: string
  weightsPath: string
  slots: number
  contextTokens: number
  threads: number
  isEmbedding?: boolean
  /** All layers on the GPU. */
  gpu?: boolean
  cpus?: string | undefined
}

/** llama.cpp's own server with settings equal to the engine's: slots, context, threads, and no cache outside the slots. */
export const launchLlamaServer = async (
  { program, weightsPath, slots, contextTokens, threads, isEmbedding = false, gpu = false, cpus }: Settings,
  signal: AbortSignal,
): Promise<LaunchedLlamaServer> => {
  const kind = isEmbedding ? '--embeddings' : '--jinja'
  const flags = `-np ${slots} -c ${slots * contextTokens} --no-kv-unified -t ${threads} -tb ${threads} --cache-prompt --cache-ram 0 -ngl ${gpu ? 999 : 0} ${kind}`
  const server = await launchHttpServer(
    { program, argumentsOf: (port) => ['-m', weightsPath, '--port', String(port), ...flags.split(' ')], cpus },
    signal,
  )
  return { ...server, key: '', model: 'any', flags }
}
