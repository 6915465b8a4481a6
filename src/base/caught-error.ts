/** The message of something caught, for a line that an operator reads. Its stack is `errorText` in `log.ts`. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Node's code of a system error, such as `ENOENT`; empty if there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
