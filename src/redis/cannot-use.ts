import { errorCode, errorMessage } from '../base/caught-error.ts'
import { OperatorError } from '../base/operator-error.ts'

/** Without users and passwords, for lines that an operator reads. */
export const listHosts = (addresses: readonly string[]): string =>
  addresses.map((address) => new URL(address).host).join(', ')

/** Why Redis cannot be used, with what to do about it. */
export const cannotUse = (addresses: readonly string[], error: unknown): OperatorError =>
  new OperatorError(`Cannot use Redis at ${listHosts(addresses)}: ${connectionAdvice(error)}`, { cause: error })

const connectionAdvice = (error: unknown): string => {
  const { message, code, reason } = errorDetails(error)
  if (untrusted.test(code))
    return `its certificate is not trusted (${message}); add sslrootcert=/path/to/ca.pem to its URL in HELIX_REDIS`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for another host (${message}); check HELIX_REDIS`
  if (code.startsWith('CERT_')) return `its certificate is not valid (${message})`
  return `${reason ?? message}; check HELIX_REDIS`
}

/** OpenSSL's codes for an unknown issuer. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED/

/** OpenSSL's message contains lines of its source code; the reason is in a separate field. */
const errorDetails = (error: unknown): { message: string; code: string; reason: string | null } => {
  const code = errorCode(error)
  const hasReason = code.startsWith('ERR_SSL') && error instanceof Error && 'reason' in error
  return { message: errorMessage(error), code, reason: hasReason ? String(error.reason) : null }
}
