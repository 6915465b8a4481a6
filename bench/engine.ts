import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config/load-config.ts'
import { readModel } from '../src/engine/model-folder.ts'
import { launchHelix } from './launch-helix.ts'
import { launchLlamaServer } from './launch-llama-server.ts'
import { spreadOf } from './measure.ts'
import { measureStreamNeighbours, neighbourStreams } from './measure-stream-neighbours.ts'
import { measureWidth, takeTurn } from './measure-width.ts'
import { pssBytes } from './process-memory.ts'
import { newRailwayQuestion } from './railway-question.ts'
import { atMost, reportPart } from './report-part.ts'

/**
 * The engine over HTTP at several numbers of concurrent streams, in turns with `llama-server` if LLAMA_SERVER_BIN names
 * one; otherwise alone. On busy machines use `--quick`, fewer rounds and shorter answers, and `--threads=1`: with two,
 * llama-server's wait for each other and the comparison says nothing. `--cpus=0-7`: both servers on those CPUs only; start
 * the bench itself on others. `--prompt-tokens` and `--tokens`: the length of prompts and answers. `--widths-only`: without
 * neighbours and memory. `--gpu`: both with all layers on a GPU, for Helix with the libraries in the folder `--libraries` if
 * given, and the CPU cores that both use. `--model`: another model than helix-v1, with `--context` tokens for each stream.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    threads: { type: 'string' },
    streams: { type: 'string', default: '1,4,8,16' },
    cpus: { type: 'string' },
    'prompt-tokens': { type: 'string', default: '512' },
    tokens: { type: 'string' },
    'widths-only': { type: 'boolean', default: false },
    gpu: { type: 'boolean', default: false },
    libraries: { type: 'string' },
    model: { type: 'string' },
    context: { type: 'string' },
  },
})
const rounds = Number(options.rounds ?? (options.quick ? 2 : 5))
const maxTokens = Number(options.tokens ?? (options.quick ? 48 : 128))
const promptTokens = Number(options['prompt-tokens'])
const widths = options.streams.split(',').map(Number)
const slots = Math.max(...widths, options['widths-only'] ? 1 : neighbourStreams)
const signal = AbortSignal.timeout(3_000_000)

const config = loadConfig({ flags: {}, environment: {}, configFile: null })
const model = resolve(options.model ?? config.model)
const { weightsPath, served } = await readModel(model)
const settings = {
  weightsPath,
  slots,
  contextTokens: Number(options.context ?? served.contextTokens),
  threads: Number(options.threads ?? config.engineThreads),
  gpu: options.gpu,
}
const program = process.env.LLAMA_SERVER_BIN

const environment = {
  HELIX_ENGINE_SLOTS: String(slots),
  // One caller measures all of them.
  HELIX_RESERVED_SLOTS: '0',
  HELIX_ENGINE_THREADS: String(settings.threads),
  // llama-server does not speculate unless told to, and these prompts repeat themselves.
  HELIX_ENGINE_SPECULATION: 'off',
  HELIX_MODEL: model,
  HELIX_CONTEXT_TOKENS: String(settings.contextTokens),
  HELIX_ENGINE_GPU: options.gpu ? 'required' : '0',
  ...(options.libraries && { HELIX_ENGINE_LIBRARIES: resolve(options.libraries) }),
}
const { cpus } = options
const helix = await launchHelix(signal, environment, cpus)
const reference = program === undefined ? null : await launchLlamaServer({ ...settings, program, cpus }, signal)

const inMegabytes = (bytes: number | null): number | null => (bytes === null ? null : Math.round(bytes / 1e6))

/** After all other parts, so that caches and buffers are filled. */
const measureMemory = async (enginePid: number): Promise<void> => {
  const ours = await pssBytes(enginePid)
  const theirs = reference ? await pssBytes(reference.pid) : null
  reportPart({
    bench: 'engine',
    part: 'PSS of the engine process in MB',
    ratio: ours && theirs ? spreadOf([ours / theirs]) : null,
    target: atMost(1.3),
    rounds: 1,
    figures: {
      helix: inMegabytes(ours),
      llamaServer: inMegabytes(theirs),
      helixServerProcess: inMegabytes(await pssBytes(helix.pid)),
    },
  })
}

try {
  const enginePid = await helix.engineReady()
  console.error(
    reference === null
      ? 'LLAMA_SERVER_BIN is not set: only Helix is measured, without ratios.'
      : `llama-server ${reference.flags}`,
  )
  console.error(`Helix: ${slots} slots of ${settings.contextTokens} tokens, ${settings.threads} threads`)
  const servers = [helix, reference].filter((server) => server !== null)
  for (const server of servers) await takeTurn(server, null, [newRailwayQuestion(maxTokens)], signal)
  const processes = { helix: enginePid, reference: reference?.pid ?? null }
  for (const streams of widths)
    await measureWidth({ helix, reference, processes, streams, rounds, promptTokens, maxTokens }, signal)
  if (!options['widths-only']) {
    await measureStreamNeighbours({ helix, rounds, maxTokens }, signal)
    await measureMemory(enginePid)
  }
} finally {
  await reference?.close()
  await helix.close()
}
