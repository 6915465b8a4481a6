/**
 * Bindings for llama.cpp's C API, loaded from node-llama-cpp's platform packages. Struct layouts are specific to one
 * version: any other is refused, and a test compares every declaration with the headers of that version. Only this
 * module imports koffi; nothing here knows about requests.
 */
import { createRequire } from 'node:module'
import koffi, { type TypeObject } from 'koffi'
import { ModelRefused } from '../../model-refused.ts'
import { findGpu, type GpuUse } from './find-gpu.ts'
import { findGpuPackages, findLibraries, type Libraries } from './find-libraries.ts'

/** What `llama_version` returns in the release that the declarations below were written for. */
const pinnedVersion = '0.4.0-dev'

/** An address in native memory; null is NULL. */
export type Pointer = bigint | null
type Out = Int32Array | Uint8Array

export const structs = {
  llama_model_params: `
    ggml_backend_dev_t * devices;
    const struct llama_model_tensor_buft_override * tensor_buft_overrides;
    int32_t n_gpu_layers;
    enum llama_split_mode split_mode;
    enum llama_load_mode load_mode;
    enum llama_lazy_mode lazy_mode;
    int32_t main_gpu;
    const float * tensor_split;
    llama_progress_callback progress_callback;
    void * progress_callback_user_data;
    const struct llama_model_kv_override * kv_overrides;
    bool vocab_only;
    bool check_tensors;
    bool use_extra_bufts;
    bool no_host;
    bool no_alloc;
    bool load_mtp;`,
  llama_context_params: `
    uint32_t n_ctx;
    uint32_t n_batch;
    uint32_t n_ubatch;
    uint32_t n_seq_max;
    uint32_t n_rs_seq;
    uint32_t n_outputs_max;
    uint32_t n_outputs_max_per_seq;
    int32_t n_threads;
    int32_t n_threads_batch;
    enum llama_context_type ctx_type;
    enum llama_rope_scaling_type rope_scaling_type;
    enum llama_pooling_type pooling_type;
    enum llama_attention_type attention_type;
    enum llama_flash_attn_type flash_attn_type;
    float rope_freq_base;
    float rope_freq_scale;
    float yarn_ext_factor;
    float yarn_attn_factor;
    float yarn_beta_fast;
    float yarn_beta_slow;
    uint32_t yarn_orig_ctx;
    float defrag_thold;
    ggml_backend_sched_eval_callback cb_eval;
    void * cb_eval_user_data;
    enum ggml_type type_k;
    enum ggml_type type_v;
    ggml_abort_callback abort_callback;
    void * abort_callback_data;
    bool embeddings;
    bool offload_kqv;
    bool no_perf;
    bool op_offload;
    bool swa_full;
    bool kv_unified;
    struct llama_sampler_seq_config * samplers;
    size_t n_samplers;
    struct llama_context * ctx_other;`,
  llama_batch: `
    int32_t n_tokens;
    llama_token * token;
    float * embd;
    llama_pos * pos;
    int32_t * n_seq_id;
    llama_seq_id ** seq_id;
    int8_t * logits;`,
  ggml_threadpool_params: `
    bool cpumask[GGML_MAX_N_THREADS];
    int n_threads;
    enum ggml_sched_priority prio;
    uint32_t poll;
    bool strict_cpu;
    bool paused;`,
} as const

/** Declared in llama.h and exported by libllama. */
export const llamaFunctions = [
  'const char * llama_version(void)',
  'void llama_log_set(ggml_log_callback log_callback, void * user_data)',
  'void llama_backend_init(void)',
  'struct llama_model_params llama_model_default_params(void)',
  'struct llama_context_params llama_context_default_params(void)',
  'struct llama_model * llama_model_load_from_file(const char * path_model, struct llama_model_params params)',
  'void llama_model_free(struct llama_model * model)',
  'struct llama_context * llama_init_from_model(struct llama_model * model, struct llama_context_params params)',
  'void llama_free(struct llama_context * ctx)',
  'const struct llama_vocab * llama_model_get_vocab(const struct llama_model * model)',
  'int32_t llama_model_n_ctx_train(const struct llama_model * model)',
  'const char * llama_model_chat_template(const struct llama_model * model, const char * name)',
  'int32_t llama_model_n_layer(const struct llama_model * model)',
  'int32_t llama_model_n_embd(const struct llama_model * model)',
  'int32_t llama_model_n_embd_out(const struct llama_model * model)',
  'int32_t llama_model_n_head(const struct llama_model * model)',
  'int32_t llama_model_n_head_kv(const struct llama_model * model)',
  'bool llama_model_is_recurrent(const struct llama_model * model)',
  'bool llama_model_is_hybrid(const struct llama_model * model)',
  'uint64_t llama_model_size(const struct llama_model * model)',
  'int32_t llama_model_meta_val_str(const struct llama_model * model, const char * key, char * buf, size_t buf_size)',
  'llama_memory_t llama_get_memory(const struct llama_context * ctx)',
  'void llama_memory_clear(llama_memory_t mem, bool data)',
  'bool llama_memory_seq_rm(llama_memory_t mem, llama_seq_id seq_id, llama_pos p0, llama_pos p1)',
  'void llama_memory_seq_cp(llama_memory_t mem, llama_seq_id seq_id_src, llama_seq_id seq_id_dst, llama_pos p0, llama_pos p1)',
  'size_t llama_state_seq_get_size(struct llama_context * ctx, llama_seq_id seq_id)',
  'size_t llama_state_seq_get_data(struct llama_context * ctx, uint8_t * dst, size_t size, llama_seq_id seq_id)',
  'size_t llama_state_seq_set_data(struct llama_context * ctx, const uint8_t * src, size_t size, llama_seq_id dest_seq_id)',
  'int32_t llama_vocab_n_tokens(const struct llama_vocab * vocab)',
  'const char * llama_vocab_get_text(const struct llama_vocab * vocab, llama_token token)',
  'enum llama_token_attr llama_vocab_get_attr(const struct llama_vocab * vocab, llama_token token)',
  'bool llama_vocab_is_eog(const struct llama_vocab * vocab, llama_token token)',
  'llama_token llama_vocab_bos(const struct llama_vocab * vocab)',
  'llama_token llama_vocab_eos(const struct llama_vocab * vocab)',
  'llama_token llama_vocab_nl(const struct llama_vocab * vocab)',
  'bool llama_vocab_get_add_bos(const struct llama_vocab * vocab)',
  'int32_t llama_tokenize(const struct llama_vocab * vocab, const char * text, int32_t text_len, llama_token * tokens, int32_t n_tokens_max, bool add_special, bool parse_special)',
  'int32_t llama_detokenize(const struct llama_vocab * vocab, const llama_token * tokens, int32_t n_tokens, char * text, int32_t text_len_max, bool remove_special, bool unparse_special)',
  'struct llama_batch llama_batch_init(int32_t n_tokens, int32_t embd, int32_t n_seq_max)',
  'void llama_batch_free(struct llama_batch batch)',
  'int32_t llama_decode(struct llama_context * ctx, struct llama_batch batch)',
  'float * llama_get_logits_ith(struct llama_context * ctx, int32_t i)',
  'float * llama_get_embeddings_seq(struct llama_context * ctx, llama_seq_id seq_id)',
  'void llama_set_n_threads(struct llama_context * ctx, int32_t n_threads, int32_t n_threads_batch)',
  'void llama_attach_threadpool(struct llama_context * ctx, ggml_threadpool_t threadpool, ggml_threadpool_t threadpool_batch)',
] as const

/** Declared in ggml's headers and exported by libggml or by the backend that ggml selects for this machine. */
export const ggmlFunctions = [
  'void ggml_backend_load_all_from_path(const char * dir_path)',
  'ggml_backend_dev_t ggml_backend_dev_by_type(enum ggml_backend_dev_type type)',
  'const char * ggml_backend_dev_description(ggml_backend_dev_t device)',
  'ggml_backend_reg_t ggml_backend_dev_backend_reg(ggml_backend_dev_t device)',
  'void * ggml_backend_reg_get_proc_address(ggml_backend_reg_t reg, const char * name)',
  'struct ggml_threadpool_params ggml_threadpool_params_default(int n_threads)',
] as const
export const backendFunctions = [
  'struct ggml_threadpool * ggml_threadpool_new(struct ggml_threadpool_params * params)',
  'void ggml_threadpool_free(struct ggml_threadpool * threadpool)',
] as const

type ModelParams = { n_gpu_layers: number; vocab_only: boolean }
type ContextParams = Record<
  'n_ctx' | 'n_batch' | 'n_ubatch' | 'n_seq_max' | 'n_threads' | 'n_threads_batch' | 'flash_attn_type' | 'pooling_type',
  number
> & { type_k: number; type_v: number; kv_unified: boolean; no_perf: boolean; embeddings: boolean }
export type NativeBatch = { n_tokens: number } & Record<'token' | 'pos' | 'n_seq_id' | 'seq_id' | 'logits', bigint>
type ThreadpoolParams = { n_threads: number; poll: number }

type Call<Args extends unknown[], Result> = ((...args: Args) => Result) & {
  /** The same call on another thread, for slow functions. */
  inBackground(...args: Args): Promise<Result>
}

/** JavaScript signatures of the functions above. */
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
  llama_model_chat_template: Call<[model: Pointer, name: null], string | null>
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
  llama_vocab_nl: Call<[vocab: Pointer], number>
  llama_vocab_get_add_bos: Call<[vocab: Pointer], boolean>
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
  ggml_backend_dev_description: Call<[device: Pointer], string>
  ggml_backend_dev_backend_reg: Call<[device: Pointer], Pointer>
  ggml_backend_reg_get_proc_address: Call<[backend: Pointer, name: string], Pointer>
  ggml_threadpool_params_default: Call<[threads: number], ThreadpoolParams>
  ggml_threadpool_new: Call<[params: ThreadpoolParams], Pointer>
  ggml_threadpool_free: Call<[threadpool: Pointer], void>
}

type LogLevel = 'warn' | 'error'
const levels: Partial<Record<number, LogLevel>> = { 3: 'warn', 4: 'error' }
const cpuDevice = 0

let loaded: LlamaApi | undefined
let gpuUse: GpuUse = { device: null, fault: null }
let log: (level: LogLevel, text: string) => void = () => {}

/** Loads the libraries once per process. llama.cpp's warnings and errors go to the most recent caller's handler. */
export const loadLlamaApi = (gpu: boolean, onLine: typeof log): LlamaApi => {
  log = onLine
  if (loaded) return loaded
  const libraries = installedLibraries(gpu)
  const { folder } = libraries
  const found = bindLibraries(libraries)
  const api = asApi(Object.fromEntries(found))
  const version = api.llama_version()
  if (version !== pinnedVersion)
    throw new ModelRefused(
      `The llama.cpp library in ${folder} is version ${version}; this program needs exactly ${pinnedVersion}. Run npm ci again.`,
    )
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
  const deviceOf = (type: number): string | null => {
    const device = api.ggml_backend_dev_by_type(type)
    return device === null ? null : api.ggml_backend_dev_description(device)
  }
  if (gpu) gpuUse = findGpu(libraries, { deviceOf, load: koffi.load, lines })
  const backend = api.ggml_backend_dev_backend_reg(api.ggml_backend_dev_by_type(cpuDevice))
  for (const prototype of backendFunctions)
    found.set(
      ...bind(prototype, (name, result, args) => {
        const address = api.ggml_backend_reg_get_proc_address(backend, name)
        const type = koffi.proto(result, args)
        return (...values: unknown[]) => koffi.call(address, type, ...values)
      }),
    )
  loaded = asApi(Object.fromEntries(found))
  return loaded
}

/** What the libraries that were loaded for a GPU can do with one. */
export const loadedGpu = (): GpuUse => gpuUse

/** The functions that read a vocabulary. llama.cpp allows them on several threads at once. */
export type VocabularyApi = Pick<
  LlamaApi,
  Extract<keyof LlamaApi, `llama_vocab_${string}` | 'llama_tokenize' | 'llama_detokenize'>
>

/** For another thread of a process that has called `loadLlamaApi`: binds functions, but initialises nothing again. */
export const bindVocabularyApi = (gpu: boolean): VocabularyApi =>
  asApi(Object.fromEntries(bindLibraries(installedLibraries(gpu))))

const bindLibraries = (libraries: Libraries): Map<string, unknown> => {
  const ggml = openLibrary(libraries.ggml, libraries.package)
  const llama = openLibrary(libraries.llama, libraries.package)
  const found = new Map<string, unknown>()
  for (const prototype of llamaFunctions) found.set(...bind(prototype, (name, ...types) => llama.func(name, ...types)))
  for (const prototype of ggmlFunctions) found.set(...bind(prototype, (name, ...types) => ggml.func(name, ...types)))
  return found
}

const openLibrary = (path: string, from: string): ReturnType<typeof koffi.load> => {
  try {
    return koffi.load(path, { global: true })
  } catch (error) {
    throw new ModelRefused(`${from} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A view of native memory, without a copy. The memory must outlive the view. */
export const viewFloats = (address: bigint, length: number): Float32Array =>
  new Float32Array(koffi.view(address, length * Float32Array.BYTES_PER_ELEMENT))
export const viewInts = (address: bigint, length: number): Int32Array =>
  new Int32Array(koffi.view(address, length * Int32Array.BYTES_PER_ELEMENT))
export const viewBytes = (address: bigint, length: number): Int8Array => new Int8Array(koffi.view(address, length))
export const viewAddresses = (address: bigint, length: number): BigUint64Array =>
  new BigUint64Array(koffi.view(address, length * BigUint64Array.BYTES_PER_ELEMENT))

type Spec = string | TypeObject
type Bind = (name: string, result: Spec, args: Spec[]) => unknown

const bind = (prototype: string, make: Bind): [name: string, call: unknown] => {
  const { name, result, parameters } = parsePrototype(prototype)
  // A text with a separate length argument may contain any byte, so it is not a C string.
  const texts = parameters.some((parameter) => /\btext_len/.test(parameter)) ? 'void *' : 'str'
  const argument = (parameter: string) => koffiType(typeOf(parameter), texts)
  const call = make(name, koffiType(result, 'str'), parameters.map(argument))
  return [name, withBackground(call)]
}

export const parsePrototype = (prototype: string): { name: string; result: string; parameters: string[] } => {
  const [, result = '', name = '', parameters = ''] = /^(.*?)(\w+)\((.*)\)$/.exec(prototype) ?? []
  return { name, result: result.trim(), parameters: parameters === 'void' ? [] : parameters.split(', ') }
}

const typeOf = (declaration: string): string => declaration.replace(/\w+$/, '').trim()

const integers: Record<string, string> = { llama_token: 'int32', llama_pos: 'int32', llama_seq_id: 'int32', int: 'int' }
const known = new Map<string, TypeObject>()

const koffiType = (declared: string, texts: string): Spec => {
  const type = declared.replace(/^const /, '')
  if (declared === 'char *') return 'void *'
  if (type === 'char *') return texts
  if (type === 'struct ggml_threadpool_params *') return koffi.pointer(structType('ggml_threadpool_params'))
  if (type.endsWith('*') || /(_callback|_t)$/.test(type) === true) return fixedWidth(type) ?? 'void *'
  if (type.startsWith('enum ')) return 'int32'
  if (type.startsWith('struct ')) return structType(type.slice('struct '.length))
  return integers[type] ?? type
}

/** Fixed-width integers such as `int32_t` end in `_t`, like ggml's handles. */
const fixedWidth = (type: string): string | null => (/^(u?int\d+|size)_t$/.test(type) ? type : null)

const structType = (name: string): TypeObject => {
  const built = known.get(name)
  if (built) return built
  if (!isDeclared(name)) throw new Error(`${name} is not declared`)
  const fields = structFields(structs[name]).map(({ type, field, length }) => {
    const one = koffiType(type, 'str')
    return [field, length === undefined ? one : koffi.array(one, length)] as const
  })
  const created = koffi.struct(name, Object.fromEntries(fields))
  known.set(name, created)
  return created
}
const isDeclared = (name: string): name is keyof typeof structs => name in structs

/** ggml's GGML_MAX_N_THREADS. */
const maxThreads = 512
export const structFields = (body: string): { type: string; field: string; length?: number }[] =>
  body
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, type = '', field = '', array] = /^(.*?)(\w+)(\[GGML_MAX_N_THREADS\])?$/.exec(line) ?? []
      return { type: type.trim(), field, ...(array === undefined ? {} : { length: maxThreads }) }
    })

type Native = ((...args: unknown[]) => unknown) & { async?: (...args: unknown[]) => void }
const withBackground = (call: unknown): unknown => {
  const native = asNative(call)
  const called = (...args: unknown[]): unknown => native(...args)
  called.inBackground = (...args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      native.async?.(...args, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)))
    })
  return called
}
/** True of what koffi returns for a function. */
const asNative = (call: unknown): Native => call as Native
/** True because every name of the type is in one of the three lists; a test checks this. */
const asApi = (functions: Record<string, unknown>): LlamaApi => functions as LlamaApi

const installed = () => ({
  paths: createRequire(import.meta.url).resolve.paths('@node-llama-cpp/any') ?? [],
  platform: `${process.platform === 'darwin' ? 'mac' : process.platform}-${process.arch}`,
})
const installedLibraries = (gpu: boolean): Libraries => findLibraries({ ...installed(), gpu })
export const installedGpuPackages = (): string[] => findGpuPackages(installed())
