import { string } from '../../http/schema/scalars.ts'

// Their characters are put together before they are compared, which takes long for long texts.

/** Longer than any password that an account can have. */
export const typedPassword = string({ maxLength: 1_024 })
/** Of an authenticator app, or for recovery. */
export const typedCode = string({ maxLength: 128 })
