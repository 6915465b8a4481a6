import { PlatformError } from '../../../../platform/platform-error.ts'

/** The person cancelled a dialog, so no error is shown. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof PlatformError && /^(passkey|confirmation)_cancelled$/.test(error.code)
