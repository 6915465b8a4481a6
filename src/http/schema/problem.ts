import { ApiError } from '../../base/api-error.ts'

/**
 * Something wrong at one place of a JSON value. The path is built while the problem is passed outwards, so that valid
 * values pay nothing for it.
 */
export class Problem {
  readonly #describe: (path: string) => ApiError
  #path = ''

  constructor(describe: (path: string) => ApiError) {
    this.#describe = describe
  }

  /** Prepends a step to the path: a key, or an index. */
  under(step: string | number): this {
    this.#path = joinPath(step, this.#path)
    return this
  }

  toApiError(): ApiError {
    return this.#describe(this.#path)
  }
}

/** A step in front of a path: `messages[0].content`. */
export const joinPath = (step: string | number, path: string): string => {
  const rest = path === '' || path.startsWith('[') ? path : `.${path}`
  return typeof step === 'number' ? `[${step}]${rest}` : `${step}${rest}`
}

export const missing = (): Problem =>
  new Problem((path) => ApiError.of('missing_required_parameter', { path }, { param: path }))

export const wrongType = (expected: string, value: unknown): Problem =>
  new Problem((path) => ApiError.of('invalid_type', { path, expected, actual: typeName(value) }, { param: path }))

export const unsupportedParameter = (): Problem =>
  new Problem((path) => ApiError.of('unsupported_parameter', { path }, { param: path }))

/** Unknown fields of a body, named as the official service does. */
export const unrecognizedArguments = (names: string[]): Problem =>
  new Problem(() =>
    ApiError.of('unrecognized_argument', {
      s: names.length > 1 ? 's' : '',
      names: names
        .slice(0, 10)
        .map((name) => name.slice(0, 64))
        .join(', '),
    }),
  )

const typeName = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
