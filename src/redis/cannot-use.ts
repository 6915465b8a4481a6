import { errorText } from '../base/log.ts'
import { OperatorError } from '../base/operator-error.ts'

/** Without users and passwords, for lines that an operator reads. */
export const listHosts = (addresses: readonly string[]): string =>
  addresses.map((address) => new URL(address).host).join(', ')

/** Why Redis cannot be used, with what to do about it. */
export const cannotUse = (addresses: readonly string[], error: unknown): OperatorError =>
  new OperatorError(`Cannot use Redis at ${listHosts(addresses)}: ${failureReason(error)}`, { cause: error })

const failureReason = (error: unknown): string => {
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
  if (!(error instanceof Error)) return { message: errorText(error), code: '', reason: null }
  const code = 'code' in error ? String(error.code) : ''
  const reason = code.startsWith('ERR_SSL') && 'reason' in error ? String(error.reason) : null
  return { message: error.message, code, reason }
}
