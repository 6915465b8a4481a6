/**
 * Passwords as argon2id hashes, which are slow and use much memory on purpose. They are computed on the runtime's thread
 * pool, never on the event loop, and only a few at once: a flood of sign-ins must not use up the memory or every thread.
 * May import `base` only.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../../base/api-error.ts'
import { normalisePassword } from './check-password.ts'

export interface PasswordHasher {
  /** `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
  hash(password: string): Promise<string>
  /** With a null hash it takes as long and returns false, so the time does not reveal whether there is a password. */
  verify(password: string, hash: string | null): Promise<boolean>
}

export type PasswordCost = { memory: number; passes: number; parallelism: number }

/** 19 MiB and two passes, the minimum that OWASP recommends for argon2id: about 40 ms on a small server. */
const recommended: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** The runtime's pool has four threads, which also read files. */
const maxRunning = 2
const maxWaiting = 64

export const createPasswordHasher = (cost: PasswordCost = recommended): PasswordHasher => {
  const dummyHash = writeHash(cost, randomBytes(saltBytes), randomBytes(hashBytes))
  const acquire = createSemaphore()
  const derive = async (password: string, nonce: Buffer, cost: PasswordCost, tagLength: number) => {
    const message = Buffer.from(normalisePassword(password))
    const release = await acquire()
    try {
      return await runArgon2('argon2id', { message, nonce, ...cost, tagLength })
    } finally {
      release()
    }
  }
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes)
      return writeHash(cost, salt, await derive(password, salt, cost, hashBytes))
    },
    async verify(password, hash) {
      const known = readHash(hash ?? dummyHash)
      const derived = await derive(password, known.salt, known.cost, known.tag.length)
      return timingSafeEqual(derived, known.tag) && hash !== null
    },
  }
}

const runArgon2 = promisify(argon2)

/** At most `maxRunning` run and `maxWaiting` wait, in the order in which they arrived. */
const createSemaphore = (): (() => Promise<() => void>) => {
  const waiting: (() => void)[] = []
  let running = 0
  const release = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async () => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) throw ApiError.of('sign_in_busy', {}, { retryAfterMs: 2000 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    return release
  }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const writeHash = ({ memory, passes, parallelism }: PasswordCost, salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

const readHash = (text: string): { cost: PasswordCost; salt: Buffer; tag: Buffer } => {
  const [, m, t, p, salt, tag] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? []
  if (salt === undefined || tag === undefined) throw new Error('a stored password hash cannot be read')
  return {
    cost: { memory: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
