import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '../base/operator-error.ts'
import { type Command, UsageError } from './command.ts'

export const sumsName = 'SHA256SUMS'
/** The Ed25519 signature of `SHA256SUMS`, in base64. */
export const signatureName = 'SHA256SUMS.sig'

export const verifyRelease: Command = {
  name: 'verify-release',
  summary: 'Check the signature and the digests of downloaded release files.',
  positionals: 'FOLDER',
  options: {
    'public-key': {
      type: 'string',
      placeholder: 'FILE',
      text: 'Ed25519 public key of the publisher, as PEM. Required.',
    },
  },
  note: `FOLDER contains ${sumsName}, ${signatureName} and at least one of the files they are about. Other files in it are named as not checked.`,
  async run({ positionals, options, terminal }) {
    const [name] = positionals
    const keyFile = options['public-key']
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix verify-release' requires one FOLDER")
    if (typeof keyFile !== 'string') throw new UsageError("'helix verify-release' requires --public-key")
    const folder = resolve(name)
    const sums = readFile(join(folder, sumsName))
    const signature = Buffer.from(readFile(join(folder, signatureName)).toString(), 'base64')
    if (!verify(null, sums, readPublicKey(resolve(keyFile)), signature))
      throw new OperatorError(`${join(folder, signatureName)} is not a signature of ${sumsName} by this key`)
    const listed = readSums(sums.toString())
    const present = listed.filter(({ file }) => existsSync(join(folder, file)))
    if (present.length === 0) throw new OperatorError(`${folder} contains none of the files that ${sumsName} lists`)
    for (const { file, sum } of present) {
      if ((await digestFile(join(folder, file))) !== sum)
        throw new OperatorError(`${join(folder, file)} differs from what was released`)
      terminal.out(`${file} is as released.\n`)
    }
    const known = [sumsName, signatureName, ...listed.map(({ file }) => file)]
    for (const line of describeOthers(readdirSync(folder).filter((file) => !known.includes(file)))) terminal.err(line)
    return 0
  },
}

const shownOthers = 50

/** Files that lie beside those of a release look as if they were checked, too. */
const describeOthers = (files: readonly string[]): string[] => {
  const lines = files
    .slice(0, shownOthers)
    .map((file) => `${file.replace(/\p{C}/gu, '?')} was not checked: ${sumsName} does not list it.\n`)
  const more = files.length - lines.length
  return more === 0 ? lines : [...lines, `${more} more files were not checked either.\n`]
}

const readFile = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch {
    throw new OperatorError(`${path} cannot be read`)
  }
}

const readPublicKey = (path: string): KeyObject => {
  const pem = readFile(path)
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  throw new OperatorError(`${path} is not an Ed25519 public key in PEM format`)
}

/** Names without folders only: the list decides which files are read. */
const readSums = (text: string): { file: string; sum: string }[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, sum, file] = /^([0-9a-f]{64}) {2}([\w+-][\w.+~-]*)$/.exec(line) ?? []
      if (sum === undefined || file === undefined) throw new OperatorError(`${sumsName} has a line of another format`)
      return { file, sum }
    })

const digestFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
