import { errorMessage } from '../../base/caught-error.ts'
/** The message of an error, on one line of a bounded length. */
export const oneLine = (error: unknown): string => errorMessage(error).replace(/\s+/g, ' ').trim().slice(0, 500)
