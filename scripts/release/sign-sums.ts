import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signatureName, sumsName } from '../../src/cli/verify-release.ts'

/** Signs the digests with an Ed25519 private key (PEM). `helix verify-release` checks it. */
export const signSums = (folder: string, pem: string): void => {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('RELEASE_SIGNING_KEY is not an Ed25519 key.')
  const signature = sign(null, readFileSync(join(folder, sumsName)), key)
  writeFileSync(join(folder, signatureName), `${signature.toString('base64')}\n`)
}
