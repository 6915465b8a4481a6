import { PlatformError } from '../../../../platform/platform-error.ts'

/** Somebody closed a window or a dialog: they changed their mind, and nothing has to be said. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof PlatformError && /^(passkey|confirmation)_cancelled$/.test(error.code)
