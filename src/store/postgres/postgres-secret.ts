import { read, writeOnce } from '../operations/operation.ts'
import type { SecretRecords } from '../secret-contract.ts'
import { agreeOnFingerprint, findFingerprint, replaceFingerprint } from './operations/nodes/secret-fingerprint.ts'
import type { PostgresCalls } from './postgres-calls.ts'

const operations = {
  find: read(findFingerprint),
  agree: writeOnce(agreeOnFingerprint),
  replace: writeOnce(replaceFingerprint),
}

export const createSecretRecords = (calls: PostgresCalls): SecretRecords => ({
  fingerprint: () => calls.run('read the fingerprint of the secret key', operations.find),
  agree: (fingerprint) => calls.run('store the fingerprint of the secret key', operations.agree, fingerprint),
  replace: (fingerprint) => calls.run('store the fingerprint of the secret key', operations.replace, fingerprint),
})
