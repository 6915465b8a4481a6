import { type ErrorName, errorCatalogue, errorType } from './error-catalogue.ts'

type Placeholders<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Values<Name extends ErrorName> = Record<Placeholders<(typeof errorCatalogue)[Name]['message']>, string | number>

/** The limit that refused a request, sent as `limit`, so that a client need not read the message. */
export type ErrorLimit = {
  /** As the API names it. */
  name: string
  scope: 'key' | 'organisation' | 'server' | 'owner' | 'address'
  limit: number
  used: number
  requested: number
  /** Milliseconds since 1970; null where no time can be given. */
  resetsAt: number | null
}

export type ErrorOptions = {
  /** The invalid part of the request, sent as `param`. */
  param?: string
  /** The same request may succeed after this time. */
  retryAfterMs?: number
  /** Whether clients should retry, regardless of the status. */
  shouldRetry?: boolean
  /** Additional response headers, such as `allow`. */
  headers?: Record<string, string>
  limit?: ErrorLimit
  /** CPU time that another process needed to find out; it counts against the caller. */
  cpuMs?: number
  /** The underlying reason, for the log only. */
  cause?: unknown
}

/** Constructor arguments of an error. */
export type ErrorParts = { name: ErrorName; message: string; options: ErrorOptions }

/** An error in a form that can be sent between threads, without its cause. */
export type PlainError = Omit<ErrorParts, 'options'> & { options: Omit<ErrorOptions, 'cause'> }

/** For subclasses only; other code calls `ApiError.of`. */
export const errorParts = <Name extends ErrorName>(
  name: Name,
  values: Values<Name>,
  options: ErrorOptions,
): ErrorParts => ({ name, message: fill(errorCatalogue[name].message, values), options })

/** A failure with a defined response. Any other thrown value becomes `internal_error`. */
export class ApiError extends Error {
  readonly errorName: ErrorName
  readonly options: ErrorOptions

  protected constructor({ name, message, options }: ErrorParts) {
    super(message, { cause: options.cause })
    this.errorName = name
    this.options = options
  }

  static of<Name extends ErrorName>(name: Name, values: Values<Name>, options: ErrorOptions = {}): ApiError {
    return new ApiError(errorParts(name, values, options))
  }

  toPlain(): PlainError {
    const { cause: _, ...options } = this.options
    return { name: this.errorName, message: this.message, options }
  }

  static fromPlain(plain: PlainError): ApiError {
    return new ApiError(plain)
  }

  get status(): number {
    return errorCatalogue[this.errorName].status
  }

  get code(): string | null {
    return errorCatalogue[this.errorName].code
  }

  get type(): string {
    return errorType(this.errorName)
  }
}

const fill = (message: string, values: Record<string, string | number>): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
