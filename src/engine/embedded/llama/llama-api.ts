/**
 * Bindings for llama.cpp's C API, loaded from node-llama-cpp's platform packages. Struct layouts are specific to one
 * version: any other is refused, and a test compares every declaration with the headers of that version. Only this
 * module and `bind-function.ts` import koffi; nothing here knows about requests.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import koffi from 'koffi'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import { ModelRefused } from '../../model-refused.ts'
import type { LoadSettings } from '../load-settings.ts'
import { type Bind, bindFunction, structType } from './bind-function.ts'
import { findGpu, type GpuDevice, type GpuUse, loadFailure } from './find-gpu.ts'
import { findGpuPackages, findLibraries, type Libraries } from './find-libraries.ts'
import {
  backendFunctions,
  defaultContextParams,
  defaultModelParams,
  ggmlFunctions,
  llamaFunctions,
} from './llama-declarations.ts'

/** Which libraries are loaded. */
export type LibrarySource = Pick<LoadSettings, 'gpu' | 'ownBuild' | 'packages'>

/** What `llama_version` returns in the release that the declarations were written for. */
const pinnedVersion = '0.4.0-dev'
const releaseTag = 'v0.4.0'
const versionFunction = llamaFunctions[0]

/** An address in native memory; null is NULL. */
export type Pointer = bigint | null
type Out = Int32Array | Uint8Array

type ModelParams = Record<'n_gpu_layers' | 'split_mode' | 'load_mode' | 'main_gpu', number> & { vocab_only: boolean }
type ContextParams = Record<
  | ('n_ctx' | 'n_batch' | 'n_ubatch' | 'n_seq_max' | 'n_outputs_max')
  | ('n_threads' | 'n_threads_batch' | 'flash_attn_type' | 'pooling_type'),
  number
> & { type_k: number; type_v: number; kv_unified: boolean; no_perf: boolean; embeddings: boolean }
type NativeBatch = { n_tokens: number } & Record<'token' | 'embd' | 'pos' | 'n_seq_id' | 'seq_id' | 'logits', bigint>
type ThreadpoolParams = { n_threads: number; poll: number }

type Call<Args extends unknown[], Result> = ((...args: Args) => Result) & {
  /** The same call on another thread, for slow functions. */
  inBackground(...args: Args): Promise<Result>
}

/** JavaScript signatures of the declared functions. */
export type LlamaApi = {
  llama_version: Call<[], string>
  llama_log_set: Call<[callback: bigint, data: null], void>
  llama_backend_init: Call<[], void>
  llama_model_default_params: Call<[], ModelParams>
  llama_context_default_params: Call<[], ContextParams>
  llama_model_load_from_file: Call<[path: string, params: ModelParams], Pointer>
  llama_model_free: Call<[model: Pointer], void>
  llama_init_from_model: Call<[model: Pointer, params: ContextParams], Pointer>
  llama_free: Call<[context: Pointer], void>
  llama_model_get_vocab: Call<[model: Pointer], bigint>
  llama_model_n_ctx_train: Call<[model: Pointer], number>
  llama_model_chat_template: Call<[model: Pointer, name: string | null], string | null>
  llama_model_n_layer: Call<[model: Pointer], number>
  llama_model_n_embd: Call<[model: Pointer], number>
  llama_model_n_embd_out: Call<[model: Pointer], number>
  llama_model_n_head: Call<[model: Pointer], number>
  llama_model_n_head_kv: Call<[model: Pointer], number>
  llama_model_is_recurrent: Call<[model: Pointer], boolean>
  llama_model_is_hybrid: Call<[model: Pointer], boolean>
  llama_model_size: Call<[model: Pointer], number | bigint>
  llama_model_meta_val_str: Call<[model: Pointer, key: string, text: Uint8Array, size: number], number>
  llama_get_memory: Call<[context: Pointer], Pointer>
  llama_memory_clear: Call<[memory: Pointer, data: boolean], void>
  llama_memory_seq_rm: Call<[memory: Pointer, sequence: number, from: number, to: number], boolean>
  llama_memory_seq_cp: Call<[memory: Pointer, source: number, target: number, from: number, to: number], void>
  llama_state_seq_get_size: Call<[context: Pointer, sequence: number], number | bigint>
  llama_state_seq_get_data: Call<[context: Pointer, to: Uint8Array, size: number, sequence: number], number | bigint>
  llama_state_seq_set_data: Call<[context: Pointer, from: Uint8Array, size: number, sequence: number], number | bigint>
  llama_vocab_n_tokens: Call<[vocab: Pointer], number>
  llama_vocab_get_text: Call<[vocab: Pointer, token: number], string>
  llama_vocab_get_attr: Call<[vocab: Pointer, token: number], number>
  llama_vocab_is_eog: Call<[vocab: Pointer, token: number], boolean>
  llama_vocab_bos: Call<[vocab: Pointer], number>
  llama_vocab_eos: Call<[vocab: Pointer], number>
  llama_vocab_sep: Call<[vocab: Pointer], number>
  llama_vocab_nl: Call<[vocab: Pointer], number>
  llama_vocab_get_add_bos: Call<[vocab: Pointer], boolean>
  llama_vocab_get_add_eos: Call<[vocab: Pointer], boolean>
  llama_vocab_get_add_sep: Call<[vocab: Pointer], boolean>
  llama_tokenize: Call<[vocab: Pointer, text: Uint8Array, number, Out, number, boolean, boolean], number>
  llama_detokenize: Call<[vocab: Pointer, tokens: Int32Array, number, Out, number, boolean, boolean], number>
  llama_batch_init: Call<[tokens: number, embeddings: number, sequences: number], NativeBatch>
  llama_batch_free: Call<[batch: NativeBatch], void>
  llama_decode: Call<[context: Pointer, batch: NativeBatch], number>
  llama_get_logits_ith: Call<[context: Pointer, index: number], bigint>
  llama_get_embeddings_seq: Call<[context: Pointer, sequence: number], Pointer>
  llama_set_n_threads: Call<[context: Pointer, threads: number, threadsForBatches: number], void>
  llama_attach_threadpool: Call<[context: Pointer, threadpool: Pointer, threadpoolForBatches: Pointer], void>
  ggml_backend_load_all_from_path: Call<[folder: string], void>
  ggml_backend_dev_by_type: Call<[type: number], Pointer>
  ggml_backend_dev_count: Call<[], number | bigint>
  ggml_backend_dev_get: Call<[index: number], Pointer>
  ggml_backend_dev_type: Call<[device: Pointer], number>
  ggml_backend_dev_memory: Call<[device: Pointer, free: BigUint64Array, total: BigUint64Array], void>
  ggml_backend_dev_description: Call<[device: Pointer], string>
  ggml_backend_dev_backend_reg: Call<[device: Pointer], Pointer>
  ggml_backend_reg_get_proc_address: Call<[backend: Pointer, name: string], Pointer>
  ggml_get_type_traits: Call<[type: number], Pointer>
  ggml_threadpool_params_default: Call<[threads: number], ThreadpoolParams>
  ggml_threadpool_new: Call<[params: ThreadpoolParams], Pointer>
  ggml_threadpool_free: Call<[threadpool: Pointer], void>
}

type LogLevel = 'warn' | 'error'
const levels: Partial<Record<number, LogLevel>> = { 3: 'warn', 4: 'error' }
const cpuDevice = 0

let loaded: LlamaApi | undefined
let gpuUse: GpuUse = { device: null, freeBytes: [], sharesMemory: false, fault: null }
let log: (level: LogLevel, text: string) => void = () => {}

/** Loads the libraries once per process. llama.cpp's warnings and errors go to the most recent caller's handler. */
export const loadLlamaApi = (source: LibrarySource, onLine: typeof log): LlamaApi => {
  log = onLine
  if (loaded) return loaded
  const libraries = installedLibraries(source)
  const { folder } = libraries
  const found = bindLibraries(libraries)
  const api = asApi(Object.fromEntries(found))
  checkLayout(api, libraries)
  const callback = koffi.proto('void', ['int', 'str', 'void *'])
  /** What it logs while it looks for devices says why it finds none. */
  const lines: string[] = []
  const receive = (level: number, text: string) => {
    const known = levels[level]
    if (!known) return
    if (!loaded) lines.push(text.trim())
    log(known, text.trim())
  }
  api.llama_log_set(koffi.register(receive, koffi.pointer(callback)), null)
  api.ggml_backend_load_all_from_path(folder)
  api.llama_backend_init()
  if (source.gpu !== false)
    gpuUse = findGpu(libraries, { devices: (type) => listDevices(api, type), load: koffi.load, lines })
  if (source.gpu === 'required' && gpuUse.fault !== null)
    throw new ModelRefused(`engineGpu is set to required, but no GPU can be used. ${gpuUse.fault}`)
  const backend = api.ggml_backend_dev_backend_reg(api.ggml_backend_dev_by_type(cpuDevice))
  for (const prototype of backendFunctions)
    found.set(
      ...bindFunction(prototype, (name, result, args) => {
        const address = api.ggml_backend_reg_get_proc_address(backend, name)
        const type = koffi.proto(result, args)
        return (...values: unknown[]) => koffi.call(address, type, ...values)
      }),
    )
  loaded = asApi(Object.fromEntries(found))
  return loaded
}

const listDevices = (api: LlamaApi, type: number): GpuDevice[] =>
  Array.from({ length: Number(api.ggml_backend_dev_count()) }, (_, index) => api.ggml_backend_dev_get(index))
    .filter((device) => api.ggml_backend_dev_type(device) === type)
    .map((device) => {
      const [free, total] = [new BigUint64Array(1), new BigUint64Array(1)]
      api.ggml_backend_dev_memory(device, free, total)
      const name = api.ggml_backend_dev_description(device)
      return { name, freeBytes: Number(free[0]), totalBytes: Number(total[0]) }
    })

/** What the libraries that were loaded for a GPU can do with one. */
export const loadedGpu = (): GpuUse => gpuUse

/** The functions that read a vocabulary. llama.cpp allows them on several threads at once. */
export type VocabularyApi = Pick<
  LlamaApi,
  Extract<keyof LlamaApi, `llama_vocab_${string}` | 'llama_tokenize' | 'llama_detokenize'>
>

/** For another thread of a process that has called `loadLlamaApi`: binds functions, but initialises nothing again. */
export const bindVocabularyApi = (source: LibrarySource): VocabularyApi =>
  asApi(Object.fromEntries(bindLibraries(installedLibraries(source))))

const bindLibraries = (libraries: Libraries): Map<string, unknown> => {
  const ggml = openLibrary(libraries.ggml, libraries.package)
  const llama = openLibrary(libraries.llama, libraries.package)
  const from = (library: typeof llama): Bind => {
    return (name, ...types) => {
      try {
        return library.func(name, ...types)
      } catch {
        throw unsuitable(libraries, `has no function ${name}`)
      }
    }
  }
  const found = new Map<string, unknown>()
  // First the version: functions that are missing in another one need not be named.
  found.set(...bindFunction(versionFunction, from(llama)))
  const version = asApi(Object.fromEntries(found)).llama_version()
  if (version !== pinnedVersion) throw unsuitable(libraries, `is version ${version}`)
  for (const prototype of llamaFunctions) found.set(...bindFunction(prototype, from(llama)))
  for (const prototype of ggmlFunctions) found.set(...bindFunction(prototype, from(ggml)))
  return found
}

/**
 * Builds between two releases have the same version. If a field was added to a struct or moved, the values after it are not
 * those that llama.cpp sets by default.
 */
const checkLayout = (api: LlamaApi, libraries: Libraries): void => {
  const model = Object.entries(defaultModelParams).every(isIn(api.llama_model_default_params()))
  const context = Object.entries(defaultContextParams).every(isIn(api.llama_context_default_params()))
  if (!model || !context)
    throw unsuitable(libraries, `has other structs than the release, although it is version ${pinnedVersion}`)
}
const isIn =
  (struct: object) =>
  ([name, value]: [string, unknown]): boolean =>
    Object.entries(struct).some(([field, found]) => field === name && found === value)

const unsuitable = ({ folder, isOwnBuild }: Libraries, fault: string): ModelRefused =>
  new ModelRefused(
    `The llama.cpp library in ${folder} ${fault}; this program needs exactly ${pinnedVersion}. ` +
      (isOwnBuild
        ? `Build llama.cpp ${releaseTag} as docs/operating.md says, or unset engineLibraries.`
        : 'Run npm ci again.'),
  )

const openLibrary = (path: string, from: string): ReturnType<typeof koffi.load> => {
  try {
    return koffi.load(path, { global: true })
  } catch (error) {
    throw new ModelRefused(`${basename(path)} of ${from} cannot be loaded: ${loadFailure(error, path)}`)
  }
}

/** Turns `count` numbers, stored as tensors of this type store them, into floats. llama.cpp's own function does it. */
export const unpackTensor = (
  api: Pick<LlamaApi, 'ggml_get_type_traits'>,
  { typeNumber, count }: { typeNumber: number; count: number },
  stored: Uint8Array,
  target: Float32Array,
): void => {
  const { to_float: address } = asTraits(
    koffi.decode(api.ggml_get_type_traits(typeNumber), structType('ggml_type_traits')),
  )
  // Floats need no function.
  if (address === null) new Uint8Array(target.buffer, target.byteOffset).set(stored)
  else koffi.call(address, toFloats, stored, target, count)
}
const toFloats = koffi.proto('void', ['void *', 'void *', 'int64'])
/** True of a decoded struct of this type. */
const asTraits = (decoded: unknown): { to_float: Pointer } => decoded as { to_float: Pointer }

/** A view of native memory, without a copy. The memory must outlive the view. */
export const viewFloats = (address: bigint, length: number): Float32Array =>
  new Float32Array(koffi.view(address, length * Float32Array.BYTES_PER_ELEMENT))
export const viewInts = (address: bigint, length: number): Int32Array =>
  new Int32Array(koffi.view(address, length * Int32Array.BYTES_PER_ELEMENT))
export const viewBytes = (address: bigint, length: number): Int8Array => new Int8Array(koffi.view(address, length))
export const viewAddresses = (address: bigint, length: number): BigUint64Array =>
  new BigUint64Array(koffi.view(address, length * BigUint64Array.BYTES_PER_ELEMENT))

/** True because every name of the type is in one of the three lists; a test checks this. */
const asApi = (functions: Record<string, unknown>): LlamaApi => functions as LlamaApi

const installed = (packages: string | null) => ({
  paths: [
    ...(packages === null ? [] : [packages]),
    ...(createRequire(import.meta.url).resolve.paths('@node-llama-cpp/any') ?? []),
  ],
  platform: `${process.platform === 'darwin' ? 'mac' : process.platform}-${process.arch}`,
})
const installedLibraries = ({ gpu, ownBuild = null, packages = null }: LibrarySource): Libraries =>
  findLibraries({ ...installed(packages), gpu: gpu !== false, ownBuild })
export const installedGpuPackages = ({ packages = null }: LibrarySource): string[] =>
  findGpuPackages(installed(packages))

/** True of a published package. */
const asPackage = (value: unknown): { version: string } => value as { version: string }

/** The package for this kind of GPU that belongs to the installed libraries, for example `@node-llama-cpp/linux-x64-cuda@3.21.1`. */
export const gpuPackageSpec = (kind: string): string => {
  const { package: plain, folder } = installedLibraries({ gpu: false })
  const { version } = asPackage(parseJsonText(readFileSync(join(folder, '../../package.json'), 'utf8')))
  return `${plain}-${kind}@${version}`
}
