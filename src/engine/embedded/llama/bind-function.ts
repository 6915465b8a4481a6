import koffi, { type TypeObject } from 'koffi'
import { structs } from './llama-declarations.ts'

type Spec = string | TypeObject
export type Bind = (name: string, result: Spec, args: Spec[]) => unknown

/** Binds the function of a declaration, with the types of its arguments and result as koffi calls them. */
export const bindFunction = (prototype: string, make: Bind): [name: string, call: unknown] => {
  const { name, result, parameters } = parsePrototype(prototype)
  // A text with a separate length argument may contain any byte, so it is not a C string.
  const texts = parameters.some((parameter) => /\btext_len/.test(parameter)) ? 'void *' : 'str'
  const argument = (parameter: string) => koffiType(withoutName(parameter), texts)
  const call = make(name, koffiType(result, 'str'), parameters.map(argument))
  return [name, withBackground(call)]
}

export const parsePrototype = (prototype: string): { name: string; result: string; parameters: string[] } => {
  const [, result = '', name = '', parameters = ''] = /^(.*?)(\w+)\((.*)\)$/.exec(prototype) ?? []
  return { name, result: result.trim(), parameters: parameters === 'void' ? [] : parameters.split(', ') }
}

const withoutName = (declaration: string): string => declaration.replace(/\w+$/, '').trim()

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

export const structType = (name: string): TypeObject => {
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
