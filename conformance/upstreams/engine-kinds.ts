import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { launchLlamaServer } from '../../bench/launch-llama-server.ts'
import type { UpstreamKind } from '../../src/config/upstream-names.ts'
import { readModel } from '../../src/engine/model-folder.ts'
import { launchVllm } from './launch-vllm.ts'

type RunningEngine = { baseUrl: string; upstreamModel: string; version: string; close(): Promise<void> }

export type EngineKind = {
  name: string
  kind: UpstreamKind
  /** Names the program, in the environment. */
  variable: string
  launch(program: string, signal: AbortSignal): Promise<RunningEngine>
}

const modelDirectory = join(import.meta.dirname, '../../models/helix-v1')
const contextTokens = 4096

/** The first line that a program prints about its version. */
const versionOf = async (program: string): Promise<string> => {
  const asked = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [asked.stdout, asked.stderr]) stream.on('data', (part) => (output += part))
  await once(asked, 'close')
  return /version: .*|\d+\.\d+\.\d+\S*/.exec(output)?.[0] ?? 'unknown version'
}

export const engineKinds: readonly EngineKind[] = [
  {
    name: 'llama-server',
    kind: 'llama-server',
    variable: 'LLAMA_SERVER_BIN',
    async launch(program, signal) {
      const { weightsPath } = await readModel(modelDirectory)
      const server = await launchLlamaServer({ program, weightsPath, slots: 2, contextTokens, threads: 2 }, signal)
      return {
        baseUrl: `${server.url}/v1`,
        upstreamModel: 'helix-v1',
        version: await versionOf(program),
        close: server.close,
      }
    },
  },
  {
    name: 'vLLM',
    kind: 'vllm',
    variable: 'VLLM_PYTHON',
    async launch(python, signal) {
      const server = await launchVllm({ python, modelDirectory, contextTokens }, signal)
      const version = await (await fetch(`${server.url}/version`, { signal })).text()
      return {
        baseUrl: `${server.url}/v1`,
        upstreamModel: 'helix-v1',
        version: /\d+\.\d+\.\d+/.exec(version)?.[0] ?? 'unknown version',
        close: server.close,
      }
    },
  },
]
