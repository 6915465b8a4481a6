import type { Secrets } from '../accounts/secrets/open-secrets.ts'
import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { object } from '../http/schema/containers.ts'
import { described } from '../http/schema/schema.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import type { Client } from '../operations/client.ts'
import { count, post, socket } from './operation.ts'

const rotated = object({
  changed: described('Secrets that are encrypted with the new key now.', count),
  unreadable: described('Secrets that no key can read.', count),
})

export const secretOperations = {
  rotateSecrets: post('/secrets/rotate', socket, 'Encrypts all secrets with a new key.', { answer: rotated }),
}

type SecretControlDependencies = {
  /** On the command line they are opened only for this. */
  open(): Promise<Secrets>
  /** Tells the other nodes. */
  announce(): void
  listNodes(): Promise<ListedNode[]>
}

/** Only the operator can call it, so the response may include the reason for a failure. */
export const createSecretControl = ({
  open,
  announce,
  listNodes,
}: SecretControlDependencies): Client<typeof secretOperations> => ({
  async rotateSecrets() {
    const secrets = await open()
    try {
      return await secrets.rotate({
        announce,
        listNodes: async () =>
          (await listNodes())
            .filter(({ kind, isOwn }) => kind === 'server' && !isOwn)
            .map(({ name, status }) => ({ name, secretKeys: status?.secretKeys ?? [] })),
      })
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      throw ApiError.of('secrets_not_rotated', { reason: error.message }, { cause: error })
    }
  },
})
