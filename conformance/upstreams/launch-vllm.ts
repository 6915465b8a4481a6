import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launchHttpServer } from '../../bench/launch-http-server.ts'

type Settings = {
  /** The interpreter of an environment with vLLM and the package gguf. */
  python: string
  modelDirectory: string
  contextTokens: number
}

/** It may not look for anything in the network, and leaves the cores to the scheduler. */
const variables = {
  HF_HUB_OFFLINE: '1',
  VLLM_NO_USAGE_STATS: '1',
  VLLM_CPU_KVCACHE_SPACE: '2',
  VLLM_CPU_OMP_THREADS_BIND: 'nobind',
  OMP_NUM_THREADS: '2',
}

/** vLLM on the CPU, with the model's weights converted to a format that it reads. */
export const launchVllm = async ({ python, modelDirectory, contextTokens }: Settings, signal: AbortSignal) => {
  const directory = await mkdtemp(join(tmpdir(), 'helix-vllm-'))
  try {
    const converter = join(import.meta.dirname, 'write-safetensors.py')
    await promisify(execFile)(python, [converter, modelDirectory, directory], { signal })
    const argumentsOf = (port: number): string[] => [
      ...['-m', 'vllm.entrypoints.openai.api_server', '--model', directory, '--served-model-name', 'helix-v1'],
      ...['--host', '127.0.0.1', '--port', String(port), '--max-model-len', String(contextTokens)],
      ...['--max-num-seqs', '4', '--dtype', 'bfloat16', '--enforce-eager'],
      ...['--enable-auto-tool-choice', '--tool-call-parser', 'hermes'],
    ]
    const server = await launchHttpServer({ program: python, argumentsOf, variables }, signal)
    return {
      url: server.url,
      async close() {
        await server.close()
        await rm(directory, { recursive: true })
      },
    }
  } catch (error) {
    await rm(directory, { recursive: true })
    throw error
  }
}
